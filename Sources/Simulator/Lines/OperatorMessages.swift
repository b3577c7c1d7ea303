import DeviceSync
import FixedMemory
import FlashSimulator

/// The messages that an operator sends through a board: some to all devices, some to one phone, by address
/// or identity, whether it is near or not.
final class OperatorMessages {
    private let neighbours: Neighbours
    private var random: RandomStream
    private var count = 0

    init(to neighbours: Neighbours, random: RandomStream) {
        self.neighbours = neighbours
        self.random = random
    }

    func next() -> MessageRequest? {
        let phones = neighbours.phones
        guard !phones.isEmpty, random.chance(0.7) else { return make(.all, "all") }
        let phone = phones[Int(random.below(UInt64(phones.count)))]
        return random.chance(0.5) ? toAddress(of: phone) : toIdentity(of: phone)
    }

    func toAddress(of phone: SimulatedPhone) -> MessageRequest? {
        make(.address(phone.address.bytes, type: phone.address.addressType), phone.name)
    }

    private func toIdentity(of phone: SimulatedPhone) -> MessageRequest? {
        let payload = phone.payload
        return FixedBuffer<512>(payload.span).flatMap { make(.identity($0), phone.name) }
    }

    /// Makes a message of random length; no two are alike.
    private func make(_ recipients: MessageRequest.Recipients, _ name: String) -> MessageRequest? {
        count += 1
        let start = Array("operator's message \(count) to \(name): ".utf8)
        let room = MessageRequest.maximumByteCount - start.count
        let text = start + (0..<Int(random.below(UInt64(room) + 1))).map { UInt8(0x41 + $0 % 26) }
        return FixedBuffer<509>(text.span).map {
            MessageRequest(
                number: UInt32(truncatingIfNeeded: random.next()) | 1, recipients: recipients, data: $0)
        }
    }
}

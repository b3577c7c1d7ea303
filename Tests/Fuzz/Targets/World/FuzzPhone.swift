import FixedMemory
import HCI
import Simulator

/// A phone beside the board whose host does whatever the input determines, over a controller that works.
final class FuzzPhone {
    private let board: SimulatedBoard
    private let host: ControllerHost
    /// The handle of the latest link.
    private var handle: UInt16?

    init(beside board: SimulatedBoard) {
        self.board = board
        var profile = ControllerProfile()
        profile.publicAddress = DeviceAddress(value: 0x00a0_0000_0001, isRandom: false)
        profile.version = 9
        profile.aclByteCount = 251
        profile.aclPacketCount = 255
        host = ControllerHost(profile, at: Position(1, 0), named: "phone", in: board.world)
        host.send(.setEventMask, [UInt8](repeating: 0xff, count: 7) + [0x3f])
    }

    /// Advertises these bytes; nothing if there are none.
    func advertise(_ data: [UInt8]) {
        host.send(.leSetAdvertisingEnable, [0])
        guard !data.isEmpty else { return }
        let padding = [UInt8](repeating: 0, count: 31 - data.count)
        host.send(
            .leSetAdvertisingParameters, [0xa0, 0, 0xa0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0])
        host.send(.leSetAdvertisingData, [UInt8(data.count)] + data + padding)
        host.send(.leSetAdvertisingEnable, [1])
    }

    /// Connects to the board if that advertises.
    func connect() {
        guard let address = board.controller.advertisement?.address else { return }
        let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address.value >> UInt64(8 * $0)) }
        host.send(
            .leCreateConnection,
            [0x10, 0, 0x10, 0, 0, address.addressType] + bytes
                + [0, 6, 0, 6, 0, 0, 0, 100, 0, 0, 0, 0, 0])
        board.world.run(atMost: .milliseconds(300)) {
            read()
            return handle != nil
        }
    }

    func disconnect() {
        read()
        guard let handle else { return }
        host.send(.disconnect, [UInt8(handle & 255), UInt8(handle >> 8), 0x13])
    }

    /// Goes out of the room, or comes back.
    func togglePresence() { host.controller.setPresent(!host.controller.isPresent) }

    /// Sends a piece of a frame.
    func send(_ bytes: [UInt8], isFirst: Bool) {
        read()
        guard let handle else { return }
        let word = handle | (isFirst ? 0 : 0x1000)
        host.send(
            [
                PacketIndicator.aclData.rawValue, UInt8(word & 255), UInt8(word >> 8), UInt8(bytes.count), 0,
            ] + bytes)
    }

    /// Reads what the controller has sent, and notes the beginning and the end of links.
    private func read() {
        for packet in host.read() {
            switch try? Event(packet.span) {
            case .connectionComplete(let connection)? where connection.status == .success:
                handle = connection.handle.rawValue
            case .disconnectionComplete?: handle = nil
            default: break
            }
        }
    }
}

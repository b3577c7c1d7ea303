import DeviceSync
import FixedMemory
import HCI

/// A message that an operator sends to nearby devices through a board, as with `tabardctl send`, and the
/// board's report on it.
public struct OperatorMessage: Sendable {
    public let request: MessageRequest
    /// The board's last report; nil if there is none yet.
    public internal(set) var report: MessageReport?
    /// Why the board has refused the message.
    public internal(set) var refusal: SMPRefusal?

    public init(_ request: MessageRequest) { self.request = request }

    public var number: UInt32 { request.number }
    public var data: [UInt8] { (0..<request.data.count).map { request.data[$0] } }

    /// Whether the phone is a receiver of the message, by a current or former address or identity.
    func isFor(_ phone: SimulatedPhone) -> Bool {
        switch request.recipients {
        case .all: true
        case .address(let address, let type):
            phone.hasHad(DeviceAddress(littleEndian: address.span.loadUInt48(at: 0), addressType: type))
        case .identity(let identity): phone.payloads.contains((0..<identity.count).map { identity[$0] })
        }
    }
}

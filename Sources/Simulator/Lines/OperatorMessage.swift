import DeviceSync
import FixedMemory
import HCI

/// A message that an operator has a board send to who is near, as with `tabardctl send`, and what the board has said of it.
public struct OperatorMessage: Sendable {
    public let request: MessageRequest
    /// What the board said last; nil: nothing yet.
    public internal(set) var report: MessageReport?
    /// Why the board has not taken it.
    public internal(set) var refusal: SMPRefusal?

    public init(_ request: MessageRequest) { self.request = request }

    public var number: UInt32 { request.number }
    public var data: [UInt8] { (0..<request.data.count).map { request.data[$0] } }

    /// Whether the phone is, or was, somebody whom it is for.
    func isFor(_ phone: SimulatedPhone) -> Bool {
        switch request.recipients {
        case .all: true
        case .address(let address, let type):
            phone.hasHad(DeviceAddress(littleEndian: address.span.loadUInt48(at: 0), addressType: type))
        case .identity(let identity): phone.payloads.contains((0..<identity.count).map { identity[$0] })
        }
    }
}

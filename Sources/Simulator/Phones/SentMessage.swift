import HCI

/// A message that a phone has written to a board's signal characteristic, and that the board's log must
/// contain.
public struct SentMessage: Sendable {
    public enum Kind: Sendable, Equatable {
        case immediate
        /// Payloads of other phones, with the phone's RSSI of the board.
        case sharing(rssiDBm: Int8)
    }

    public let kind: Kind
    /// The data without code and lengths; unique among all messages.
    public let data: [UInt8]
    /// The board's address that it was written to.
    public let board: DeviceAddress
    /// Whether it was written over a link that the board's controller could not report. The board may take
    /// it for a message of an earlier link's phone.
    public let isUnreported: Bool
    /// When the board acknowledged the last byte; nil if it has not.
    public internal(set) var acknowledged: SimulatedTime?
}

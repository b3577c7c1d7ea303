import HCI

/// A message that a phone has written to a board's signal characteristic, and that the board's log must tell.
public struct SentMessage: Sendable {
    public enum Kind: Sendable, Equatable {
        case immediate
        /// Of others, and how near the phone hears the board.
        case sharing(rssiDBm: Int8)
    }

    public let kind: Kind
    /// Without code and lengths. No other message has the same.
    public let data: [UInt8]
    /// To which it was written.
    public let board: DeviceAddress
    /// When the board acknowledged its last byte; nil: not yet, or never.
    public internal(set) var acknowledged: SimulatedTime?
}

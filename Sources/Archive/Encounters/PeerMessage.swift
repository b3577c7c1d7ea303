import FixedMemory

/// A message that a device wrote to a board unprompted, other than its identity.
public struct PeerMessage: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        /// Herald's immediate message: unmodified bytes for applications.
        case immediate([UInt8])
        /// The payloads of peers that the device met lately, concatenated, and its RSSI of the board, if
        /// reported.
        case sharedPayloads([UInt8], rssiDBm: Int?)
    }

    public var instant: Instant
    /// The ``Track/number`` of the device; nil without a track, in which case its distance is unknown.
    public var track: UInt32?
    public var content: Content

    public init(instant: Instant, track: UInt32?, content: Content) {
        self.instant = instant
        self.track = track
        self.content = content
    }

    /// Splits shared payloads. They have no separators, so a receiver assumes that each is as long as its own
    /// payload.
    ///
    /// - Parameter ownByteCount: the length of the board's payload at that time; nil if unknown.
    /// - Returns: nil if the payloads cannot be separated.
    public static func separated(_ payloads: [UInt8], ownByteCount: Int?) -> [[UInt8]]? {
        guard !payloads.isEmpty else { return [] }
        guard let count = ownByteCount, count > 0, payloads.count.isMultiple(of: count) else { return nil }
        return stride(from: 0, to: payloads.count, by: count).map { Array(payloads[$0..<$0 + count]) }
    }
}

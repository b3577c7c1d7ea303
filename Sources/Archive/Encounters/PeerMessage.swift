/// What a device wrote to a board of its own accord, beside who it is.
public struct PeerMessage: Sendable, Equatable {
    public enum Content: Sendable, Equatable {
        /// For applications, as it came: Herald's immediate message.
        case immediate([UInt8])
        /// Whom the device heard lately, by their payloads, one behind the other; and how it hears the board, if it says.
        case sharedPayloads([UInt8], rssiDBm: Int?)
    }

    public var monotonicMilliseconds: Int64
    /// The ``RecordedTrack/number`` of the device; nil where there is none: nobody knows how near it was.
    public var track: UInt32?
    public var content: Content

    public init(monotonicMilliseconds: Int64, track: UInt32?, content: Content) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.track = track
        self.content = content
    }

    /// Payloads are shared without anything between them, so a receiver takes them to be as long as its own.
    ///
    /// - Parameter ownByteCount: of the board's payload then; nil if nobody knows.
    /// - Returns: nil if they cannot be told apart.
    public static func separated(_ payloads: [UInt8], ownByteCount: Int?) -> [[UInt8]]? {
        guard !payloads.isEmpty else { return [] }
        guard let count = ownByteCount, count > 0, payloads.count.isMultiple(of: count) else { return nil }
        return stride(from: 0, to: payloads.count, by: count).map { Array(payloads[$0..<$0 + count]) }
    }
}

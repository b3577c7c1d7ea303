import FixedMemory

/// Bytes that a client wants sent to peers at once: Herald's immediate message (docs/sync-protocol.md).
public struct MessageRequest: Equatable, BitwiseCopyable, Sendable {
    /// An attribute's longest value, less the message's code and length.
    public static let maximumByteCount = 509

    public enum Recipients: Equatable, BitwiseCopyable, Sendable {
        /// Everybody heard within the last minute.
        case all
        /// Six bytes as on the air, and the address type (0 public, 1 random).
        case address(Bytes<6>, type: UInt8)
        /// Whoever said this identity.
        case identity(FixedBuffer<512>)
    }

    /// Chosen by the client, at random, not 0. A request that is repeated because its answer was lost has the same one,
    /// and is not sent twice.
    public var number: UInt32
    public var recipients: Recipients
    /// 1 to ``maximumByteCount`` bytes.
    public var data: FixedBuffer<509>

    public init(number: UInt32, recipients: Recipients, data: FixedBuffer<509>) {
        self.number = number
        self.recipients = recipients
        self.data = data
    }
}

/// What became of a message so far.
public struct MessageReport: Equatable, BitwiseCopyable, Sendable {
    public var number: UInt32
    /// To how many peers it was to go.
    public var queuedCount: UInt32
    /// Peers it was not queued for, because the queue became full.
    public var leftOutCount: UInt32
    /// Peers that have acknowledged it.
    public var deliveredCount: UInt32 = 0
    /// Peers at whom it was given up.
    public var failedCount: UInt32 = 0

    /// Peers to whom it has still to go.
    public var waitingCount: UInt32 { queuedCount &- deliveredCount &- failedCount }

    public init(number: UInt32, queuedCount: UInt32, leftOutCount: UInt32) {
        self.number = number
        self.queuedCount = queuedCount
        self.leftOutCount = leftOutCount
    }
}

/// Why a message was not queued, or nothing can be said of it.
public enum MessageError: Error, Equatable, BitwiseCopyable, Sendable {
    /// Nobody of that address or identity was heard within the last minute.
    case nobodyThere
    case queueFull
    /// It was never queued, or so long ago that it has been forgotten.
    case unknownMessage
}

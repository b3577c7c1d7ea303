import FixedMemory

/// A client's request to send bytes to peers immediately: Herald's immediate message (docs/sync-protocol.md).
public struct MessageRequest: Equatable, BitwiseCopyable, Sendable {
    /// The maximum length of an attribute value, minus the message's code and length.
    public static let maximumByteCount = 509

    public enum Recipients: Equatable, BitwiseCopyable, Sendable {
        /// All peers heard within the last minute.
        case all
        /// One address: six bytes as on the air, and the address type (0 public, 1 random).
        case address(Bytes<6>, type: UInt8)
        /// The peers that sent this identity.
        case identity(FixedBuffer<512>)
    }

    /// A random number other than 0 that the client chooses. If it repeats a request because the answer was
    /// lost, it uses the same number, and the board does not send the message twice.
    public var number: UInt32
    public var recipients: Recipients
    /// The message: 1 to ``maximumByteCount`` bytes.
    public var data: FixedBuffer<509>

    public init(number: UInt32, recipients: Recipients, data: FixedBuffer<509>) {
        self.number = number
        self.recipients = recipients
        self.data = data
    }
}

/// The delivery state of a message.
public struct MessageReport: Equatable, BitwiseCopyable, Sendable {
    public var number: UInt32
    /// The number of peers for which the message was queued.
    public var queuedCount: UInt32
    /// Peers for which the message was not queued because the queue was full.
    public var leftOutCount: UInt32
    /// Peers that have acknowledged the message.
    public var deliveredCount: UInt32 = 0
    /// Peers for which delivery was abandoned.
    public var failedCount: UInt32 = 0

    /// Peers to which the message has not been delivered yet.
    public var waitingCount: UInt32 { queuedCount &- deliveredCount &- failedCount }

    public init(number: UInt32, queuedCount: UInt32, leftOutCount: UInt32) {
        self.number = number
        self.queuedCount = queuedCount
        self.leftOutCount = leftOutCount
    }
}

/// The reason why a message was not queued, or why no report exists.
public enum MessageError: Error, Equatable, BitwiseCopyable, Sendable {
    /// No peer with that address or identity was heard within the last minute.
    case nobodyThere
    case queueFull
    /// The message was never queued, or so long ago that the board has discarded its report.
    case unknownMessage
}

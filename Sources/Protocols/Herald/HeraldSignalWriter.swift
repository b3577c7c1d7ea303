import FixedMemory

/// The kind of a peer's signal characteristic, which distinguishes Android phones from iPhones.
public enum HeraldSignalCharacteristic: UInt8, BitwiseCopyable, Sendable {
    /// Android phones and boards have this one.
    case compliant
    /// iPhones have this one.
    case nonCompliant
}

/// Cuts one message into the writes that a peer's signal characteristic expects. Each is a write with
/// response, sent after the answer to the one before.
///
/// - The compliant one gets 20 bytes at a time, without headers, whatever the MTU (X4). Android phones do the
///   same among themselves, because they do not rely on their MTU.
/// - The non-compliant one gets the whole message, because iPhones parse each write by itself. A message
///   longer than the MTU becomes prepared writes (`AttributeClient`).
public struct HeraldSignalWriter: BitwiseCopyable, Sendable {
    public static let pieceByteCount = 20

    @usableFromInline var message = FixedBuffer<517>()
    @usableFromInline var writtenByteCount = 0
    private var characteristic = HeraldSignalCharacteristic.compliant

    public init() {}

    /// Whether the whole message has been written, or there is none.
    public var isDone: Bool { writtenByteCount >= message.count }

    /// - Throws: when the message is longer than the peer accepts. A message written whole must fit the 512
    ///   bytes of an attribute with its header. Nothing is left to write then.
    public mutating func begin(
        _ message: HeraldSignalMessage, to characteristic: HeraldSignalCharacteristic
    ) throws(CapacityError) {
        self.message.removeAll()
        writtenByteCount = 0
        self.characteristic = characteristic
        do throws(CapacityError) {
            try message.append(to: &self.message)
            guard characteristic == .compliant || self.message.count <= 512 else { throw CapacityError() }
        } catch {
            self.message.removeAll()
            throw error
        }
    }

    /// Starts an empty write without a message; an iPhone's app in the background continues for a while after
    /// it.
    public mutating func beginWake() {
        message.removeAll()
        writtenByteCount = 0
        characteristic = .nonCompliant
    }

    /// The bytes of the next write; empty when ``isDone``.
    public var piece: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get {
            message.span.extracting(writtenByteCount..<endOfPiece)
        }
    }

    /// Records that the peer has acknowledged the piece.
    public mutating func pieceWritten() { writtenByteCount = endOfPiece }

    @usableFromInline var endOfPiece: Int {
        switch characteristic {
        case .compliant: min(writtenByteCount + Self.pieceByteCount, message.count)
        case .nonCompliant: message.count
        }
    }
}

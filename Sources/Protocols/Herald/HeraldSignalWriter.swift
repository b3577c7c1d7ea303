import FixedMemory

/// The characteristic that a peer takes signal messages with; it tells one kind of phone from the other.
public enum HeraldSignalCharacteristic: UInt8, BitwiseCopyable, Sendable {
    /// Android phones', and ours.
    case compliant
    /// iPhones'.
    case nonCompliant
}

/// Cuts one message into the writes that a peer's signal characteristic wants, each with response, and each after the
/// answer to the one before.
///
/// - The compliant one gets 20 bytes at a time, without headers, whatever the MTU (X4): Android phones do so among
///   themselves, for they do not rely on their MTU.
/// - The non-compliant one gets the whole message: iPhones look at each write by itself. What does not fit the MTU becomes
///   prepared writes (`AttributeClient`).
public struct HeraldSignalWriter: BitwiseCopyable, Sendable {
    public static let pieceByteCount = 20

    @usableFromInline var message = FixedBuffer<517>()
    @usableFromInline var writtenByteCount = 0
    private var characteristic = HeraldSignalCharacteristic.compliant

    public init() {}

    /// Whether all of the message has been written, or there is none.
    public var isDone: Bool { writtenByteCount >= message.count }

    /// - Throws: when the message is longer than the peer can take: with its header it has to fit the 512 bytes of an
    ///   attribute where it is written whole. Nothing is to be written then.
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

    /// An empty write, which is no message: iPhones' apps in the background go on for a while after it.
    public mutating func beginWake() {
        message.removeAll()
        writtenByteCount = 0
        characteristic = .nonCompliant
    }

    /// What to write next; empty when ``isDone``.
    public var piece: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get {
            message.span.extracting(writtenByteCount..<endOfPiece)
        }
    }

    /// The peer has acknowledged the piece.
    public mutating func pieceWritten() { writtenByteCount = endOfPiece }

    @usableFromInline var endOfPiece: Int {
        switch characteristic {
        case .compliant: min(writtenByteCount + Self.pieceByteCount, message.count)
        case .nonCompliant: message.count
        }
    }
}

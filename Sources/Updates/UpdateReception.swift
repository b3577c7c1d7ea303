import Cryptography
import FixedMemory

/// An update file on its way to the board: where its next piece belongs, and whether all of it is what the
/// operator announced.
public struct UpdateReception: ~Copyable {
    /// The length of the announced file; 0 if none is announced.
    public private(set) var byteCount: UInt32 = 0
    /// SHA-256 of that file.
    private var digest = Bytes<32>()
    public private(set) var receivedByteCount: UInt32 = 0
    /// The version in the file's header; the caller reads it.
    public var version = Bytes<3>()
    private var hash = SHA256()

    public init() {}

    /// Expects a file, from its first byte.
    public mutating func begin(byteCount: UInt32, digest: Bytes<32>) {
        self.byteCount = byteCount
        self.digest = digest
        receivedByteCount = 0
        version = Bytes()
        hash.restart()
    }

    public mutating func forget() { byteCount = 0 }

    /// Where the next piece of a file belongs; nil if it is not the expected one.
    public func offset(ofByteCount byteCount: UInt32, digest: Bytes<32>) -> UInt32? {
        byteCount > 0 && self.byteCount == byteCount && self.digest == digest ? receivedByteCount : nil
    }

    public enum Verdict: BitwiseCopyable, Equatable, Sendable {
        /// The piece belongs at the end of what has come; it is to be stored.
        case take
        /// It came before, or is further on. Nothing is to be stored.
        case skip
        /// The announced file has no such bytes.
        case tooLong
        case notAnnounced
    }

    public func judge(_ piece: Span<UInt8>, at offset: UInt32) -> Verdict {
        guard byteCount > 0 else { return .notAnnounced }
        guard offset == receivedByteCount else { return .skip }
        return piece.count <= Int(byteCount - receivedByteCount) ? .take : .tooLong
    }

    /// Takes a piece that ``judge(_:at:)`` has accepted and that is stored.
    public mutating func take(_ piece: Span<UInt8>) {
        hash.update(piece)
        receivedByteCount += UInt32(truncatingIfNeeded: piece.count)
    }

    public var isComplete: Bool { byteCount > 0 && receivedByteCount == byteCount }

    /// Whether the complete file is the announced one. The next file must be announced anew.
    public mutating func takeVerdict() -> Bool {
        let isGenuine = isComplete && hash.finish() == digest
        byteCount = 0
        return isGenuine
    }
}

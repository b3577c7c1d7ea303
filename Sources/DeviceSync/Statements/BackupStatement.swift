import Cryptography
import FixedMemory

/// The board's statement about a copy of a scheme's secrets. It covers the sealed copy, and the configuration
/// at that time.
public enum BackupStatement {
    /// SHA-256("tabard backups 1" ‖ log identity ‖ configuration ‖ scheme ‖ sealed record).
    /// - Parameter sealed: the sealed record; empty if the board has no secrets of the scheme.
    public static func digest(
        of sealed: Span<UInt8>, _ contents: BackupContents, logIdentity: Bytes<16>
    ) -> Bytes<32> {
        var start = FixedBuffer<65>()
        // It has exactly that many bytes.
        try? start.append("tabard backups 1" as StaticString)
        try? start.append(logIdentity)
        try? start.append(contents.configuration)
        try? start.append(contents.scheme)
        var hash = SHA256()
        hash.update(start.span)
        hash.update(sealed)
        return hash.finish()
    }
}

/// The scheme and the configuration that belong to a copy of secrets.
public struct BackupContents: BitwiseCopyable, Sendable {
    /// The scheme's number in a log entry, or 0 for none.
    public let scheme: UInt8
    /// The SHA-256 of the configuration that the client reads.
    public let configuration: Bytes<32>

    public init(scheme: UInt8 = 0, configuration: Bytes<32> = Bytes()) {
        self.scheme = scheme
        self.configuration = configuration
    }
}

import Cryptography
import FixedMemory

/// The board's statement about a copy of a scheme's secrets.
public enum BackupStatement {
    /// The SHA-256 of "tabard backups 1", log identity, context, configuration, owner, operator, scheme,
    /// state and the sealed record, one after another (docs/sync-protocol.md).
    /// - Parameter sealed: the sealed record; empty unless the state is `.sealed`.
    public static func digest(
        of sealed: Span<UInt8>, _ contents: BackupContents, logIdentity: Bytes<16>
    ) -> Bytes<32> {
        var start = FixedBuffer<130>()
        // It has exactly that many bytes.
        try? start.append("tabard backups 1" as StaticString)
        try? start.append(logIdentity)
        try? start.append(contents.context)
        try? start.append(contents.configuration)
        try? start.append(contents.owner)
        try? start.append(contents.operatorKey)
        try? start.append(contents.scheme)
        try? start.append(contents.state.rawValue)
        var hash = SHA256()
        hash.update(start.span)
        hash.update(sealed)
        return hash.finish()
    }
}

/// Whether there is a copy of a scheme's secrets.
public enum BackupState: UInt8, BitwiseCopyable, Sendable {
    /// The board has no secrets of the scheme.
    case none = 0
    case sealed = 1
    /// The board has secrets of the scheme, and cannot read them.
    case unreadable = 2
}

/// The rest of a board's statement about a copy of secrets.
public struct BackupContents: BitwiseCopyable, Sendable {
    /// The scheme's number in a log entry.
    public var scheme: UInt8 = 0
    public var state = BackupState.none
    /// 32 bytes of the client. The same ones in several requests bind their answers together.
    public var context = Bytes<32>()
    /// The SHA-256 of the configuration that the client reads.
    public var configuration = Bytes<32>()
    /// The fingerprint of the owner key for which the copy is sealed.
    public var owner = Bytes<16>()
    /// The fingerprint of the board's operator key.
    public var operatorKey = Bytes<16>()

    public init() {}
}

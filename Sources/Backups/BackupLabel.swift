import Cryptography
import FixedMemory
import TextFormats

/// The host's own notes in a backup. The board signs them with each record, as the request's context.
public struct BackupLabel: Equatable, Sendable {
    /// 16 random bytes, so that no record of another backup fits.
    public var nonce: Bytes<16>
    /// When the backup was made, in seconds since 1970 UTC, by the host's clock.
    public var madeAt: UInt64
    /// The agent's version, such as "0.3.0".
    public var agentVersion: String
    /// The board's name in the archive; nil if it has none.
    public var name: String?

    public init(nonce: Bytes<16>, madeAt: UInt64, agentVersion: String, name: String?) {
        self.nonce = nonce
        self.madeAt = madeAt
        self.agentVersion = agentVersion
        self.name = name
    }

    /// SHA-256 of the members as the file has them, a line for each; the last one is missing without a name
    /// (docs/backups.md).
    public var context: Bytes<32> {
        var text = "\(Hexadecimal.text(nonce.array))\n\(UTCTime.text(madeAt))\n\(agentVersion)\n"
        if let name { text += "\(name)\n" }
        return SHA256.digest(of: Array(text.utf8).span)
    }
}

import BoardLink
import Cryptography
import DeviceSync
import FixedMemory
import LogContents
import Schemes

/// A board's identity and settings as they are kept for another board (docs/backups.md): its configuration,
/// which keys its owner and operator have, and the secrets behind its identities, sealed for its owner.
public struct BoardBackup: Equatable, Sendable {
    /// When the backup was made, in seconds since 1970 UTC, by the host's clock.
    public var madeAt: UInt64
    /// The board's name in the archive; nil if it has none.
    public var name: String?
    public var log: LogIdentity
    /// The agent's version, such as "0.3.0".
    public var agentVersion: String
    public var boardKey: P256PublicKey
    /// The fingerprint of the owner key for which the secrets are sealed.
    public var ownerFingerprint: Bytes<16>
    public var operatorFingerprint: Bytes<16>
    /// The configuration listing, as the board serves it.
    public var configuration: [UInt8]
    /// The first one has no secrets, and only the signature of the configuration. Then there is one for each
    /// scheme of which the board has secrets.
    public var records: [BoardBackupRecord]

    public init(
        madeAt: UInt64, name: String?, log: LogIdentity, agentVersion: String, boardKey: P256PublicKey,
        ownerFingerprint: Bytes<16>, operatorFingerprint: Bytes<16>, configuration: [UInt8],
        records: [BoardBackupRecord]
    ) {
        self.madeAt = madeAt
        self.name = name
        self.log = log
        self.agentVersion = agentVersion
        self.boardKey = boardKey
        self.ownerFingerprint = ownerFingerprint
        self.operatorFingerprint = operatorFingerprint
        self.configuration = configuration
        self.records = records
    }

    /// The records that have secrets.
    public var secrets: [BoardBackupRecord] { records.filter { !$0.sealed.isEmpty } }

    private var logIdentity: Bytes<16> { Bytes<16>(log.bytes) ?? Bytes() }

    /// Checks that the board has signed all records together with this configuration.
    ///
    /// - Throws: `.notSigned` if one is changed, or if the board's configuration changed between them.
    public func verify() throws(BackupError) {
        guard records.first?.scheme == 0 else { throw .notSigned }
        let digest = SHA256.digest(of: configuration.span)
        for record in records {
            guard record.isSigned(by: boardKey, configuration: digest, logIdentity: logIdentity) else {
                throw .notSigned
            }
        }
    }

    /// Opens the secrets of a scheme.
    ///
    /// - Parameter ownerKeys: the private scalars of owner keys, 32 bytes each, big-endian.
    /// - Throws: `.sealedForAnother` if none of them is the one that the record was sealed for.
    public func open(
        _ record: BoardBackupRecord, with ownerKeys: [Bytes<32>]
    ) throws(BackupError) -> BackedUpSecrets {
        for scalar in ownerKeys {
            let opened: FixedBuffer<2048>
            do throws(CryptographyError) {
                opened = try SealedRecord.open(
                    record.sealed.span, with: scalar, .backup, logIdentity: logIdentity)
            } catch {
                continue
            }
            return try BackedUpSecrets(scheme: record.scheme, record: [UInt8](copying: opened.span))
        }
        throw .sealedForAnother
    }
}

public enum BackupError: Error, Equatable, Sendable {
    /// The file cannot be read as a backup; the text has the reason.
    case malformed(String)
    /// The file is a backup of a later version.
    case unknownVersion(Int)
    /// The board's signature does not cover the file as it is.
    case notSigned
    /// No owner key at hand opens the secrets.
    case sealedForAnother
    /// The opened record is not one of the scheme.
    case damagedRecord
}

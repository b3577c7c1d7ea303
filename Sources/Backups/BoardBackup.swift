import BoardLink
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import LogContents
import Schemes

/// A board's identity and settings as they are kept for another board (docs/backups.md): its configuration,
/// which keys its owner and operator have, and the secrets behind its identities, sealed for its owner.
public struct BoardBackup: Equatable, Sendable {
    public var label: BackupLabel
    public var log: LogIdentity
    public var boardKey: P256PublicKey
    /// The fingerprint of the owner key for which the secrets are sealed.
    public var ownerFingerprint: Bytes<16>
    public var operatorFingerprint: Bytes<16>
    /// The configuration listing, as the board serves it.
    public var configuration: [UInt8]
    /// One for each scheme of ``schemes``, in their order.
    public var records: [BoardBackupRecord]

    /// The schemes whose secrets a board stores.
    public static let schemes: [SchemeID] = [.herald, .sonar, .covidTracer]

    public init(
        label: BackupLabel, log: LogIdentity, boardKey: P256PublicKey, ownerFingerprint: Bytes<16>,
        operatorFingerprint: Bytes<16>, configuration: [UInt8], records: [BoardBackupRecord]
    ) {
        self.label = label
        self.log = log
        self.boardKey = boardKey
        self.ownerFingerprint = ownerFingerprint
        self.operatorFingerprint = operatorFingerprint
        self.configuration = configuration
        self.records = records
    }

    /// The records that have secrets.
    public var secrets: [BoardBackupRecord] { records.filter { $0.state == .sealed } }

    /// The schemes whose records have this state.
    public func schemes(_ state: BackupState) -> [SchemeID] {
        records.filter { $0.state == state }.compactMap { SchemeCode(rawValue: $0.scheme).id }
    }

    private var logIdentity: Bytes<16> { Bytes<16>(log.bytes) ?? Bytes() }

    /// Checks that the board has signed all records together with all else in the backup.
    ///
    /// - Throws: `.notSigned` if something is changed or missing, or if the board's configuration changed
    ///   between the records.
    public func verify() throws(BackupError) {
        guard records.map(\.scheme) == Self.schemes.map({ SchemeCode($0).rawValue }) else {
            throw .notSigned
        }
        var contents = BackupContents()
        contents.context = label.context
        contents.configuration = SHA256.digest(of: configuration.span)
        contents.owner = ownerFingerprint
        contents.operatorKey = operatorFingerprint
        for record in records {
            guard record.isSigned(by: boardKey, contents, logIdentity: logIdentity) else { throw .notSigned }
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

import Cryptography
import DeviceSync
import FixedMemory

/// The copy of a scheme's secrets that a board hands out.
public struct BoardBackupRecord: Equatable, Sendable {
    /// The scheme's number in a log entry; 0 for none.
    public let scheme: UInt8
    /// The record of the secrets, sealed for the board's owner (``SealedRecord``); empty if there is none.
    public let sealed: [UInt8]
    /// The board's signature (``BackupStatement``).
    public let signature: Bytes<64>

    public init(scheme: UInt8, sealed: [UInt8], signature: Bytes<64>) {
        self.scheme = scheme
        self.sealed = sealed
        self.signature = signature
    }

    /// Whether the board has signed this copy, together with this configuration.
    /// - Parameter configuration: the SHA-256 of the listing.
    public func isSigned(by board: P256PublicKey, configuration: Bytes<32>, logIdentity: Bytes<16>) -> Bool {
        let contents = BackupContents(scheme: scheme, configuration: configuration)
        let digest = BackupStatement.digest(of: sealed.span, contents, logIdentity: logIdentity)
        do throws(CryptographyError) { try board.verify(signature, digest: digest) } catch { return false }
        return true
    }
}

extension BoardClient {
    /// Requests a copy of a scheme's secrets, which the operator must sign.
    /// - Parameter scheme: the scheme's number in a log entry; 0 for a signature of the configuration alone.
    public func backup(ofScheme scheme: UInt8) throws(LinkError) -> BoardBackupRecord {
        try command("backup") { sequence throws(CapacityError) in
            try SyncRequest.backup(scheme: scheme, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            let (sealed, signature) = try response.backup()
            return BoardBackupRecord(
                scheme: scheme, sealed: [UInt8](copying: sealed.span), signature: signature)
        }
    }
}

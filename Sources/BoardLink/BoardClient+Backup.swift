import Cryptography
import DeviceSync
import FixedMemory

/// The copy of a scheme's secrets that a board hands out.
public struct BoardBackupRecord: Equatable, Sendable {
    /// The scheme's number in a log entry.
    public let scheme: UInt8
    public let state: BackupState
    /// The record of the secrets, sealed for the board's owner (``SealedRecord``); empty unless the state is
    /// `.sealed`.
    public let sealed: [UInt8]
    /// The board's signature (``BackupStatement``).
    public let signature: Bytes<64>

    public init(scheme: UInt8, state: BackupState, sealed: [UInt8], signature: Bytes<64>) {
        self.scheme = scheme
        self.state = state
        self.sealed = sealed
        self.signature = signature
    }

    /// Whether the board has signed this copy.
    /// - Parameter contents: what belongs to the copy. Its scheme and state are not used.
    public func isSigned(by board: P256PublicKey, _ contents: BackupContents, logIdentity: Bytes<16>) -> Bool
    {
        var contents = contents
        contents.scheme = scheme
        contents.state = state
        let digest = BackupStatement.digest(of: sealed.span, contents, logIdentity: logIdentity)
        do throws(CryptographyError) { try board.verify(signature, digest: digest) } catch { return false }
        return true
    }
}

extension BoardClient {
    /// Requests a copy of a scheme's secrets, which the operator must sign.
    /// - Parameters:
    ///   - scheme: the scheme's number in a log entry.
    ///   - context: bytes that the board signs with the copy.
    public func backup(ofScheme scheme: UInt8, context: Bytes<32>) throws(LinkError) -> BoardBackupRecord {
        try command("backup") { sequence throws(CapacityError) in
            try SyncRequest.backup(scheme: scheme, context: context, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            let answer = try response.backup()
            return BoardBackupRecord(
                scheme: scheme, state: answer.state, sealed: [UInt8](copying: answer.sealed.span),
                signature: answer.signature)
        }
    }
}

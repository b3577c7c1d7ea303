import FixedMemory

/// A client's request that only the agent can answer; ``SyncServer/nextRequest()`` returns it.
public enum AgentRequest: Equatable, BitwiseCopyable, Sendable {
    case send(MessageRequest)
    case report(number: UInt32)
    /// Return a random nonce.
    case nonce
    /// Store these keys on the medium before answering.
    case storeKeys(BoardPublicKeys)
    /// Make a statement over this nonce, which the server signs.
    case manifest(nonce: Bytes<16>)
    /// Store the acknowledgement on the medium before answering.
    case acknowledge(SyncPosition)
    /// Erase the segments and record that on the medium before answering.
    case erase(ErasureRequest)
    /// Store the configuration in ``SyncServer/staged`` on the medium before answering. Each line is a
    /// `section.key=value`.
    case configure
    /// Give ``SyncServer/openSecrets(scalar:)`` the board's private scalar. A request to store the secrets
    /// follows.
    case openSecrets
    /// Store the record of a scheme's secrets in ``SyncServer/staged`` on the medium before answering.
    case storeSecrets
    /// Expect an update file of this length with this SHA-256.
    case expectUpdate(byteCount: UInt32, digest: Bytes<32>)
    /// Store the piece in ``SyncServer/staged``, which belongs at this offset of the update file.
    case storeUpdatePiece(offset: UInt32)
    /// Return the record of the secrets of the scheme with this number, and what belongs to it
    /// (``BackupContents``).
    case backUp(scheme: UInt8, context: Bytes<32>)
}

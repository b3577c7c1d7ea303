import FixedMemory

/// What a client asks that only the agent can answer: ``SyncServer/takeQuestion()`` hands it over.
public enum SyncQuestion: Equatable, BitwiseCopyable, Sendable {
    case send(MessageRequest)
    case report(number: UInt32)
    /// A random one.
    case nonce
    /// On the medium before it is answered.
    case storeKeys(BoardPublicKeys)
    /// A statement over this nonce.
    case manifest(nonce: Bytes<16>)
    /// On the medium before it is answered.
    case acknowledge(SyncPosition)
    /// Done, and said on the medium, before it is answered.
    case erase(ErasureRequest)
    /// ``SyncServer/handedOver`` is to be set, `section.key=value` on each line, and on the medium before it is answered.
    case configure
    /// ``SyncServer/handedOver`` is a record of a scheme's secrets, to be on the medium before it is answered.
    case storeSecrets
}

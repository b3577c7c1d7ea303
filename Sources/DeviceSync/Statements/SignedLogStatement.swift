import FixedMemory

/// A statement as it came, and its signature.
public struct SignedLogStatement: BitwiseCopyable, Equatable, Sendable {
    /// The statement's bytes, which are what was signed.
    public let bytes: Bytes<85>
    /// r and s, big-endian.
    public let signature: Bytes<64>

    public init(bytes: Bytes<85>, signature: Bytes<64>) {
        self.bytes = bytes
        self.signature = signature
    }
}

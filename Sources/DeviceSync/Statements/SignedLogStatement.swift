import FixedMemory

/// A log statement as received, with its signature.
public struct SignedLogStatement: BitwiseCopyable, Equatable, Sendable {
    /// The bytes of the statement, which the signature covers.
    public let bytes: Bytes<85>
    /// The signature: r and s, big-endian.
    public let signature: Bytes<64>

    public init(bytes: Bytes<85>, signature: Bytes<64>) {
        self.bytes = bytes
        self.signature = signature
    }
}

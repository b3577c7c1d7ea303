import Cryptography
import FixedMemory

/// By this entries refer to identities: the first 8 bytes of SHA-256 of scheme, length and identity as they stand in an
/// ``EncounterIdentifiedEntry``, as a little-endian number.
///
/// To find an identity with the hash of another's takes 2^64 attempts. Two with one hash take 2^32: who has them was heard
/// with both, and can send either as often as the other.
public struct IdentityHash: Hashable, BitwiseCopyable, Sendable {
    public var value: UInt64

    public init(value: UInt64) { self.value = value }

    public init(scheme: LogScheme, identity: FixedBuffer<512>) {
        var bytes = FixedBuffer<515>()
        do throws(CapacityError) {
            try bytes.append(scheme.rawValue)
            try bytes.append(leb128: UInt32(truncatingIfNeeded: identity.count))
            try bytes.append(identity.span)
        } catch {
            preconditionFailure("scheme, length and identity make 515 bytes at most")
        }
        self.init(of: bytes.span)
    }

    /// `bytes`: scheme, length and identity.
    init(of bytes: Span<UInt8>) { value = SHA256.digest(of: bytes).span.loadUInt64(at: 0) }
}

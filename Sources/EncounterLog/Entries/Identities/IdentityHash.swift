import Cryptography
import FixedMemory

/// The hash by which entries refer to an identity, as a little-endian number.
///
/// It is the first 8 bytes of the SHA-256 of scheme, length and identity, as encoded in an
/// ``EncounterIdentifiedEntry``. Finding an identity that matches another's hash takes 2^64 attempts. A
/// colliding pair takes 2^32 and gains nothing: its maker must have sent both, and can send either one
/// anyway.
public struct IdentityHash: Hashable, BitwiseCopyable, Sendable {
    public var value: UInt64

    public init(value: UInt64) { self.value = value }

    public init(scheme: SchemeCode, identity: FixedBuffer<512>) {
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

    /// - Parameter bytes: scheme, length and identity.
    init(of bytes: Span<UInt8>) { value = SHA256.digest(of: bytes).span.loadUInt64(at: 0) }
}

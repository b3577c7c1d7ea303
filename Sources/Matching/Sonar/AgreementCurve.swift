import CLibCrypto
import Cryptography
import FixedMemory
import Schemes

/// The curve P-256 with one private number, for many agreements.
struct AgreementCurve: ~Copyable {
    private let group: OpaquePointer
    private let point: OpaquePointer
    private let scalar: OpaquePointer
    private let coordinate: OpaquePointer
    private let scratch: OpaquePointer

    init(scalar bytes: Bytes<32>) throws(MatchingError) {
        let group = try require(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1))
        let scalar = try require(BN_secure_new())
        _ = withUnsafeBytes(of: bytes) { BN_bin2bn($0.bytes, Int32($0.count), scalar) }
        BN_set_flags(scalar, BN_FLG_CONSTTIME)
        guard BN_is_zero(scalar) == 0, BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0 else {
            BN_clear_free(scalar)
            EC_GROUP_free(group)
            throw .invalidPrivateKey
        }
        let point = try require(EC_POINT_new(group))
        let coordinate = try require(BN_new())
        let scratch = try require(BN_CTX_new())
        self.group = group
        self.scalar = scalar
        self.point = point
        self.coordinate = coordinate
        self.scratch = scratch
    }

    /// - Parameter coordinates: x and y of the other's point, 64 bytes, big-endian.
    /// - Throws: `.invalidPublicKey` unless it is a point of the curve.
    borrowing func agree(with coordinates: Span<UInt8>) throws(SonarRefusal) -> P256Agreement {
        var key = FixedBuffer<65>()
        do throws(CapacityError) {
            try key.append(UInt8(POINT_CONVERSION_UNCOMPRESSED.rawValue))
            try key.append(coordinates)
        } catch {
            throw .wrongLength
        }
        guard let x963 = Bytes<65>(key.span) else { throw .wrongLength }
        // Refuses coordinates outside the field, and points off the curve.
        let isPoint = withUnsafeBytes(of: x963) {
            EC_POINT_oct2point(group, point, $0.bytes, $0.count, scratch)
        }
        guard isPoint == 1 else {
            ERR_clear_error()
            throw .invalidPublicKey
        }
        var secret = Bytes<32>()
        let written = withUnsafeMutableBytes(of: &secret) { secret in
            guard EC_POINT_mul(group, point, nil, point, scalar, scratch) == 1,
                EC_POINT_get_affine_coordinates(group, point, coordinate, nil, scratch) == 1
            else { return Int32(-1) }
            return BN_bn2binpad(
                coordinate, secret.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(secret.count))
        }
        guard written == 32 else { throw .cryptography }
        return P256Agreement(ephemeralKey: x963, secret: secret)
    }

    deinit {
        BN_CTX_free(scratch)
        BN_clear_free(coordinate)
        EC_POINT_clear_free(point)
        BN_clear_free(scalar)
        EC_GROUP_free(group)
    }
}

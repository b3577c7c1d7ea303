import CLibCrypto
import Cryptography
import FixedMemory
import Schemes

/// The curve P-256 with one private scalar, for batches of key agreements. An agreement's secret is an affine
/// coordinate, and a single inversion in the field makes all points of a batch affine.
struct AgreementCurve: ~Copyable {
    /// The batch size; in larger batches the share of the inversion is negligible beside the multiplications.
    static let batchCount = 64

    private let group: OpaquePointer
    private let scalar: OpaquePointer
    private let coordinate: OpaquePointer
    private let scratch: OpaquePointer
    private var points: [OpaquePointer?] = []
    /// The number of points in the current batch.
    private var count = 0

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
        let coordinate = try require(BN_new())
        let scratch = try require(BN_CTX_new())
        for _ in 0..<Self.batchCount { points.append(try require(EC_POINT_new(group))) }
        self.group = group
        self.scalar = scalar
        self.coordinate = coordinate
        self.scratch = scratch
    }

    /// Starts another batch.
    mutating func removeAll() { count = 0 }

    /// Multiplies the peer's point: 65 bytes in X9.63's uncompressed form. The batch must have fewer than
    /// ``batchCount`` points.
    ///
    /// - Returns: The position of the point in the batch.
    /// - Throws: `.invalidPublicKey` unless it is a point on the curve.
    mutating func append(_ key: Bytes<65>) throws(SonarRefusal) -> Int {
        let point = points[count]
        // This call refuses coordinates outside the field and points off the curve.
        let isPoint = withUnsafeBytes(of: key) {
            EC_POINT_oct2point(group, point, $0.bytes, $0.count, scratch)
        }
        guard isPoint == 1 else {
            ERR_clear_error()
            throw .invalidPublicKey
        }
        guard EC_POINT_mul(group, point, nil, point, scalar, scratch) == 1 else { throw .cryptography }
        count += 1
        return count - 1
    }

    /// Makes the points of the complete batch affine; returns false if libcrypto failed.
    mutating func makeAffine() -> Bool {
        count == 0 || EC_POINTs_make_affine(group, count, &points, scratch) == 1
    }

    /// Returns the secret: x, big-endian.
    borrowing func secret(at place: Int) throws(SonarRefusal) -> Bytes<32> {
        var secret = Bytes<32>()
        let written = withUnsafeMutableBytes(of: &secret) { secret in
            // libcrypto's getter for affine coordinates would invert z, although it is 1.
            guard EC_POINT_is_at_infinity(group, points[place]) == 0,
                EC_POINT_get_Jprojective_coordinates_GFp(group, points[place], coordinate, nil, nil, scratch)
                    == 1
            else { return Int32(-1) }
            return BN_bn2binpad(coordinate, secret.bytes, Int32(secret.count))
        }
        guard written == 32 else { throw .cryptography }
        return secret
    }

    deinit {
        for point in points { EC_POINT_clear_free(point) }
        BN_CTX_free(scratch)
        BN_clear_free(coordinate)
        BN_clear_free(scalar)
        EC_GROUP_free(group)
    }
}

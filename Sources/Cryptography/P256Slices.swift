import CMbedTLS
import FixedMemory

/// The state that an elliptic-curve computation keeps between slices, and the length of a slice. If the
/// mbedTLS library has no restartable arithmetic (CMbedTLS.h), the first slice does the whole computation.
struct P256Slices: ~Copyable {
    /// Field multiplications in one slice, by mbedTLS's own estimate (durations: docs/keys.md).
    static let operationsPerSlice: UInt32 = 400

    var value = tabard_slices()

    init() { tabard_slices_init(&value) }

    @inline(never)
    deinit {
        var last = value
        tabard_slices_free(&last)
    }

    /// Returns false if the computation needs more slices; throws for any other result than success.
    static func isDone(_ result: Int32) throws(CryptographyError) -> Bool {
        if result == MBEDTLS_ERR_ECP_IN_PROGRESS { return false }
        try check(result)
        return true
    }
}

import CMbedTLS
import FixedMemory

/// What a computation on the curve remembers from one slice to the next, and how long a slice is. Where the library
/// knows no slices (CMbedTLS.h) the first is the whole.
struct P256Slices: ~Copyable {
    /// Multiplications in the field, by mbedTLS's own estimates, in one slice (docs/keys.md: what that takes).
    static let operationsPerSlice: UInt32 = 400

    var value = tabard_slices()

    init() { tabard_slices_init(&value) }

    @inline(never)
    deinit {
        var last = value
        tabard_slices_free(&last)
    }

    /// False when there is more to do.
    static func isDone(_ result: Int32) throws(CryptographyError) -> Bool {
        if result == MBEDTLS_ERR_ECP_IN_PROGRESS { return false }
        try check(result)
        return true
    }
}

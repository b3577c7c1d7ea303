/// The reason why a cryptographic operation failed.
public enum CryptographyError: Error, Equatable {
    /// A key, nonce, tag, seed or output has a size that the algorithm does not support.
    case wrongLength
    /// The private key is zero, or not below the group order.
    case invalidPrivateKey
    /// The public key is not a point on the curve in the expected form.
    case invalidPublicKey
    /// The tag does not match this key, nonce, text and additional data.
    case authenticationFailed
    /// The entropy source returned nothing (early in boot it may not be ready).
    case noEntropy
    /// mbedTLS failed with this code; in practice only when its memory pool is exhausted.
    case mbedTLS(Int32)
}

/// Throws unless `result`, a return code of mbedTLS, is 0.
@inline(__always)
func check(_ result: Int32) throws(CryptographyError) {
    guard result == 0 else {
        throw result == Entropy.failure ? .noEntropy : .mbedTLS(result)
    }
}

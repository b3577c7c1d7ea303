/// Why a cryptographic operation gave no result.
public enum CryptographyError: Error, Equatable {
    /// A key, nonce, tag, seed or output of a size the algorithm does not have.
    case wrongLength
    /// Not a private key of the curve: zero, or not below the group order.
    case invalidPrivateKey
    /// Not a point of the curve in the form expected.
    case invalidPublicKey
    /// The tag does not belong to this key, nonce, text and additional data.
    case authenticationFailed
    /// The source of entropy gave nothing (early in boot it may not be ready).
    case noEntropy
    /// mbedTLS refused with this code; in practice only when its memory pool is exhausted.
    case mbedTLS(Int32)
}

/// Throws for every result of mbedTLS but 0.
@inline(__always)
func check(_ result: Int32) throws(CryptographyError) {
    guard result == 0 else {
        throw result == Entropy.failure ? .noEntropy : .mbedTLS(result)
    }
}

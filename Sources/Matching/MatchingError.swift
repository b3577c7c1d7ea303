/// A failure that does not depend on the published keys.
public enum MatchingError: Error, Equatable, Sendable {
    /// libcrypto had no memory left, or was built without the algorithm.
    case libcrypto
    /// The private key is not one of P-256: it is zero, or not below the group order.
    case invalidPrivateKey
}

/// Throws unless `result`, a return code of libcrypto, is 1.
@inline(__always)
func check(_ result: Int32) throws(MatchingError) {
    guard result == 1 else { throw .libcrypto }
}

func require<Value>(_ value: Value?) throws(MatchingError) -> Value {
    guard let value else { throw .libcrypto }
    return value
}

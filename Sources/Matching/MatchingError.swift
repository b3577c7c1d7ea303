/// Why there is no result, whatever the keys are.
public enum MatchingError: Error, Equatable, Sendable {
    /// libcrypto had no memory left, or was built without the algorithm.
    case libcrypto
    /// Not a private key of P-256: zero, or not below the group's order.
    case invalidPrivateKey
}

/// Throws for what libcrypto calls a failure: anything but 1.
@inline(__always)
func check(_ result: Int32) throws(MatchingError) {
    guard result == 1 else { throw .libcrypto }
}

func require<Value>(_ value: Value?) throws(MatchingError) -> Value {
    guard let value else { throw .libcrypto }
    return value
}

/// Why a Sonar value, payload or registration is refused.
public enum SonarRefusal: Error, Equatable, Sendable {
    /// Other than 129 bytes of a payload, 108 of a broadcast value, 106 of a cryptogram, or 26 of a message.
    case wrongLength
    /// The cryptogram's first 64 bytes are not a point of P-256.
    case invalidPublicKey
    /// The cryptogram was made for another authority, or was changed.
    case authenticationFailure
    /// The country in clear differs from the encrypted one.
    case otherCountry
    /// The payload's time, or that of its observation, is outside the encrypted validity.
    case outsideValidity
    case unknownInstallation
    /// The code at the end was not made by this installation for this payload.
    case authMismatch
    /// The payload was made too long before its observation, or after it: a replay, or a wrong clock.
    case staleTransmissionTime
    /// A time after 2106, or an empty interval.
    case noTime
    /// The source of randomness failed.
    case noEntropy
    /// mbedTLS ran out of memory.
    case cryptography
}

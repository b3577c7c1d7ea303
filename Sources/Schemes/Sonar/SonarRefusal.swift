/// Why something of Sonar's is not what it should be.
public enum SonarRefusal: Error, Equatable, Sendable {
    /// Not 129 bytes of a payload, 108 of a broadcast value, 106 of a cryptogram, 26 of a message.
    case wrongLength
    /// The cryptogram's first 64 bytes are no point of P-256.
    case invalidPublicKey
    /// The cryptogram is not for this authority, or was changed.
    case authenticationFailure
    /// The country in clear is not the one inside.
    case otherCountry
    /// The time of the payload, or that of its observation, is not within the times inside.
    case outsideValidity
    case unknownInstallation
    /// The code at the end is not this installation's over this payload.
    case authMismatch
    /// The payload was made too long before its observation, or after it: a replay, or a wrong clock.
    case staleTransmissionTime
    /// A time after 2106, or an interval without a second in it.
    case noTime
    /// The source of randomness gave nothing.
    case noEntropy
    /// mbedTLS had no memory left.
    case cryptography
}

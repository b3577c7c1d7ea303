import Cryptography
import FixedMemory
import Schemes

/// The authority's end of Sonar for very many payloads: what `SonarResolver` finds of each, in the same order, with the
/// agreement on the curve by libcrypto, which takes nearly all of the time.
public struct SonarBulkResolver: ~Copyable {
    private let curve: AgreementCurve

    /// - Parameter scalar: the authority's private number, 32 bytes, big-endian.
    /// - Throws: `.invalidPrivateKey`.
    public init(scalar: Bytes<32>) throws(MatchingError) {
        curve = try AgreementCurve(scalar: scalar)
    }

    /// Whose payload it is that was read at an instant, after all checks.
    ///
    /// - Parameters:
    ///   - observedAt: In seconds since 1970.
    ///   - secretOf: An installation's secret; nil for unknown ones.
    public borrowing func resolve(
        _ bytes: Span<UInt8>, observedAt: UInt64, toleranceSeconds: UInt64 = SonarPayload.toleranceSeconds,
        secretOf: (Bytes<16>) -> Bytes<32>?
    ) throws(SonarRefusal) -> SonarMessage {
        guard bytes.count == SonarPayload.byteCount,
            let value = Bytes<108>(bytes.extracting(0..<SonarBroadcastValue.byteCount))
        else { throw .wrongLength }
        var agreement = try curve.agree(with: bytes.extracting(2..<66))
        defer { agreement.wipe() }
        let payload = try SonarPayload(
            SonarBroadcastValue(withCheckedPoint: value), rest: bytes.extracting(108..<129))
        let message = try payload.broadcast.open(agreement)
        try payload.check(
            message, observedAt: observedAt, toleranceSeconds: toleranceSeconds, secretOf: secretOf)
        return message
    }
}

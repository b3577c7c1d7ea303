import Cryptography
import FixedMemory
import Schemes

/// The health authority's side of Sonar for very many payloads. It gives the same results as `SonarResolver`,
/// with the same order of checks, but uses libcrypto. The key agreement takes nearly all of the time.
public struct SonarBulkResolver: ~Copyable {
    private var curve: AgreementCurve
    private let primitives: LibcryptoPrimitives

    /// - Parameter scalar: The authority's private scalar, 32 bytes, big-endian.
    /// - Throws: `.invalidPrivateKey` if the scalar is not a private key of P-256.
    public init(scalar: Bytes<32>) throws(MatchingError) {
        let curve = try AgreementCurve(scalar: scalar)
        primitives = try LibcryptoPrimitives()
        self.curve = curve
    }

    /// Decrypts and checks the payloads; returns a result for each, in their order.
    ///
    /// - Parameter secretOf: Returns an installation's secret; nil if it is unknown.
    public mutating func resolve(
        _ readings: [SonarReading], toleranceSeconds: UInt64 = SonarPayload.toleranceSeconds,
        secretOf: (Bytes<16>) -> Bytes<32>?
    ) -> [Result<SonarMessage, SonarRefusal>] {
        var answers: [Result<SonarMessage, SonarRefusal>] = []
        answers.reserveCapacity(readings.count)
        while answers.count < readings.count {
            let batch = readings[answers.count...].prefix(AgreementCurve.batchCount)
            let agreements = agree(batch)
            for (reading, agreement) in zip(batch, agreements) {
                do throws(SonarRefusal) {
                    let message = try open(reading.payload, agreement.get())
                    try reading.payload.check(
                        message, observedAt: reading.observedAt, toleranceSeconds: toleranceSeconds,
                        by: primitives, secretOf: secretOf)
                    answers.append(.success(message))
                } catch {
                    answers.append(.failure(error))
                }
            }
        }
        return answers
    }

    /// Returns the position of each payload's point in the curve's batch, or the reason why it has none.
    private mutating func agree(_ batch: ArraySlice<SonarReading>) -> [Result<Int, SonarRefusal>] {
        curve.removeAll()
        var places: [Result<Int, SonarRefusal>] = []
        places.reserveCapacity(batch.count)
        for reading in batch {
            do throws(SonarRefusal) {
                places.append(.success(try curve.append(reading.payload.broadcast.ephemeralKey)))
            } catch {
                places.append(.failure(error))
            }
        }
        guard curve.makeAffine() else { return batch.map { _ in .failure(.cryptography) } }
        return places
    }

    private borrowing func open(_ payload: SonarPayload, _ place: Int) throws(SonarRefusal) -> SonarMessage {
        var agreement = P256Agreement(
            ephemeralKey: payload.broadcast.ephemeralKey, secret: try curve.secret(at: place))
        defer { agreement.wipe() }
        return try payload.broadcast.open(agreement, by: primitives)
    }
}

import Cryptography
import FixedMemory
import Schemes

/// The authority's end of Sonar for very many payloads: what `SonarResolver` finds of each, in the same order of checks, by
/// libcrypto. The agreement on the curve takes nearly all of the time.
public struct SonarBulkResolver: ~Copyable {
    private var curve: AgreementCurve
    private let primitives: LibcryptoPrimitives

    /// - Parameter scalar: the authority's private number, 32 bytes, big-endian.
    /// - Throws: `.invalidPrivateKey`.
    public init(scalar: Bytes<32>) throws(MatchingError) {
        let curve = try AgreementCurve(scalar: scalar)
        primitives = try LibcryptoPrimitives()
        self.curve = curve
    }

    /// Whose payloads they are, after all checks: an answer for each, in their order.
    ///
    /// - Parameter secretOf: An installation's secret; nil for unknown ones.
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

    /// Where in the curve's batch each has its point, or why it has none.
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

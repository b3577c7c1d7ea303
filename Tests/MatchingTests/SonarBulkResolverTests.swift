import FixedMemory
import Matching
import Schemes
import TestSupport
import Testing

@Suite struct SonarBulkResolverTests {
    private static let noon: UInt64 = 1_588_852_800  // 2020-05-07 12:00 UTC

    private struct Case {
        let bytes: [UInt8]
        let observedAt: UInt64
    }

    /// The result of either resolver for a payload.
    private enum Answer: Equatable {
        case message(SonarMessage)
        case refusal(SonarRefusal)
    }

    @Test(arguments: [UInt64(1), 2])
    func `Each payload gets the answer that the schemes' own resolver gives`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let scalar: Bytes<32> = generator.block()
        let (installation, secret): (Bytes<16>, Bytes<32>) = (generator.block(), generator.block())
        var resolver = try SonarResolver(scalar: scalar, entropy: .system)
        var bulk = try SonarBulkResolver(scalar: scalar)
        var maker = SonarMaker(
            SonarRegistration(installation: installation, secret: secret, authorityKey: resolver.publicKey),
            txPowerDBm: -7, entropy: .system)
        let payload = try Sonar.identity(at: Self.noon, by: &maker).identity
        let bytes = payload.encoded
        let good = bytes.span.indices.map { bytes[$0] }

        var cases = [0, 600, 601, 40_000, 90_000].map { Case(bytes: good, observedAt: Self.noon + $0) }
        cases += [[], Array(good.dropLast()), good + [0], [UInt8](repeating: 0, count: 129)]
            .map { Case(bytes: $0, observedAt: Self.noon) }
        // One bit of each byte is changed. The cases fill several batches, with valid ones among them.
        for index in good.indices {
            var changed = good
            changed[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            cases.append(Case(bytes: changed, observedAt: Self.noon))
            if index % 8 == 0 { cases.append(Case(bytes: good, observedAt: Self.noon + UInt64(index))) }
        }
        var answers: [Answer] = []
        for known in [secret, nil] {
            let own = cases.map { one in
                answer { () throws(SonarRefusal) in
                    let payload = try SonarPayload(parsing: one.bytes.span)
                    return try resolver.resolve(payload, observedAt: one.observedAt) {
                        $0 == installation ? known : nil
                    }
                }
            }
            #expect(inBulk(cases, by: &bulk) { $0 == installation ? known : nil } == own, "seed \(seed)")
            answers += own
        }
        // Without these refusals the cases would prove nothing.
        for refusal in [
            .wrongLength, .invalidPublicKey, .authenticationFailure, .otherCountry, .unknownInstallation,
            .authMismatch, .staleTransmissionTime, .outsideValidity,
        ] as [SonarRefusal] { #expect(answers.contains(.refusal(refusal))) }
        #expect(answers.contains { if case .message = $0 { true } else { false } })
    }

    @Test func `Only numbers of the curve are private keys`() throws {
        let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        for digits in [String(repeating: "00", count: 32), order, String(repeating: "ff", count: 32)] {
            let bytes = [UInt8](hex: digits)
            let read = Bytes<32>(bytes.span)
            let scalar = try #require(read)
            var failure: MatchingError?
            do throws(MatchingError) { _ = try SonarBulkResolver(scalar: scalar) } catch { failure = error }
            #expect(failure == .invalidPrivateKey)
        }
    }

    /// Resolves all cases that are long enough to be a payload in one call.
    private func inBulk(
        _ cases: [Case], by bulk: inout SonarBulkResolver, secretOf: (Bytes<16>) -> Bytes<32>?
    ) -> [Answer] {
        var answers = [Answer](repeating: .refusal(.wrongLength), count: cases.count)
        var (places, readings): ([Int], [SonarReading]) = ([], [])
        for (place, one) in cases.enumerated() {
            guard let reading = try? SonarReading(one.bytes.span, observedAt: one.observedAt) else {
                continue
            }
            places.append(place)
            readings.append(reading)
        }
        let resolved = bulk.resolve(readings, secretOf: secretOf)
        for (place, result) in zip(places, resolved) {
            answers[place] = answer { () throws(SonarRefusal) in try result.get() }
        }
        return answers
    }

    private func answer(_ ask: () throws(SonarRefusal) -> SonarMessage) -> Answer {
        do throws(SonarRefusal) { return .message(try ask()) } catch { return .refusal(error) }
    }
}

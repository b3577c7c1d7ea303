import Cryptography
import FixedMemory
import TestSupport
import Testing

@testable import Schemes

@Suite struct SonarTests {
    private static let noon: UInt64 = 1_588_852_800  // 2020-05-07 12:00 UTC
    private static let authority: Bytes<32> = block(11)
    private static let installation: Bytes<16> = block(1)
    private static let secret: Bytes<32> = block(2)

    private static func block<let count: Int>(_ byte: UInt8) -> Bytes<count> {
        Bytes([UInt8](repeating: byte, count: count).span) ?? Bytes()
    }

    private func resolver() throws -> SonarResolver {
        try SonarResolver(scalar: Self.authority, entropy: .system)
    }

    private func maker(periodSeconds: UInt32 = SonarMaker.secondsPerDay) throws -> SonarMaker {
        let key = try resolver().publicKey
        let registration = SonarRegistration(
            installation: Self.installation, secret: Self.secret, authorityKey: key)
        return SonarMaker(registration, periodSeconds: periodSeconds, txPowerDBm: -7, entropy: .system)
    }

    private func payload(at seconds: UInt64 = noon) throws -> SonarPayload {
        var maker = try maker()
        return try Sonar.identity(at: seconds, by: &maker).identity
    }

    private func resolve(_ payload: SonarPayload, at seconds: UInt64 = noon) throws -> SonarMessage {
        var resolver = try resolver()
        return try resolver.resolve(payload, observedAt: seconds) {
            $0 == Self.installation ? Self.secret : nil
        }
    }

    @Test func `a day has one broadcast value, and each answer its own time`() throws {
        var maker = try maker()
        let first = try Sonar.identity(at: Self.noon, by: &maker)
        let second = try Sonar.identity(at: Self.noon + 100, by: &maker)
        #expect(first.identity.broadcast == second.identity.broadcast)
        #expect(first.identity.auth != second.identity.auth)
        #expect(first.validity.startSeconds == 1_588_809_600)
        #expect(first.validity.endSeconds == 1_588_896_000)
        let tomorrow = try Sonar.identity(at: first.validity.endSeconds, by: &maker)
        #expect(tomorrow.identity.broadcast != first.identity.broadcast)
    }

    @Test func `a shorter period is a setting, and the authority accepts it`() throws {
        var maker = try maker(periodSeconds: 900)
        let first = try Sonar.identity(at: Self.noon, by: &maker)
        let second = try Sonar.identity(at: Self.noon + 900, by: &maker)
        #expect(first.identity.broadcast != second.identity.broadcast)
        let message = try resolve(first.identity)
        #expect(message.endSeconds - message.startSeconds == 900)
    }

    @Test func `a payload read when it was made resolves to its installation`() throws {
        let message = try resolve(try payload(), at: Self.noon + 5)
        #expect(message.installation == Self.installation)
        #expect(message.country == Sonar.unitedKingdom)
    }

    @Test func `a payload's faults are reported in the order of the checks`() throws {
        let payload = try payload()
        let value = payload.broadcast
        var country = value.bytes
        country[1] ^= 1
        let foreign = SonarPayload(
            try SonarBroadcastValue(parsing: country.span), -7, payload.transmissionSeconds,
            auth: payload.auth)
        #expect(throws: SonarRefusal.otherCountry) { try resolve(foreign) }
        let late = try SonarPayload(
            value, txPowerDBm: -7, transmissionSeconds: 1_588_896_000, secret: Self.secret)
        #expect(throws: SonarRefusal.outsideValidity) { try resolve(late) }
        #expect(throws: SonarRefusal.unknownInstallation) {
            var resolver = try resolver()
            _ = try resolver.resolve(payload, observedAt: Self.noon) { _ in nil }
        }
        let louder = SonarPayload(value, 20, payload.transmissionSeconds, auth: payload.auth)
        #expect(throws: SonarRefusal.authMismatch) { try resolve(louder) }
        #expect(throws: SonarRefusal.staleTransmissionTime) { try resolve(payload, at: Self.noon + 601) }
        #expect(throws: SonarRefusal.staleTransmissionTime) { try resolve(payload, at: Self.noon - 601) }
        #expect(throws: SonarRefusal.outsideValidity) { try resolve(payload, at: Self.noon + 86_400) }
        #expect(throws: Never.self) { try resolve(payload, at: Self.noon + 600) }
    }

    @Test func `flipping a bit of any field makes a payload invalid`() throws {
        let bytes = try payload().encoded.span.array
        // A few bytes of each field, because each costs a computation on the curve.
        for index in [0, 1, 2, 65, 66, 91, 92, 107, 108, 109, 112, 113, 128] {
            var changed = bytes
            changed[index] ^= 0x40
            #expect(throws: (any Error).self, "byte \(index)") {
                let payload = try SonarPayload(parsing: changed.span)
                return try resolve(payload)
            }
        }
    }

    @Test func `a payload has exactly 129 bytes and a point of the curve`() throws {
        let bytes = try payload().encoded.span.array
        for count in [0, 1, 108, 128] {
            let short = Array(bytes.prefix(count))
            #expect(throws: SonarRefusal.wrongLength) { try Sonar.read(short.span) }
        }
        let long = bytes + [0]
        #expect(throws: SonarRefusal.wrongLength) { try Sonar.read(long.span) }
        let pointless = [UInt8](repeating: 0, count: 129)
        #expect(throws: SonarRefusal.invalidPublicKey) { try Sonar.read(pointless.span) }
        #expect(try Sonar.read(bytes.span).encoded.span.array == bytes)
    }

    @Test func `a receiver detects a payload made long before or after its observation`() throws {
        let payload = try payload()
        #expect(payload.isFresh(observedAt: Self.noon + 600))
        #expect(payload.isFresh(observedAt: Self.noon - 600))
        #expect(!payload.isFresh(observedAt: Self.noon + 601))
        #expect(!payload.isFresh(observedAt: 0))
        #expect(!payload.isFresh(observedAt: .max))
    }

    @Test func `a value for another authority does not decrypt`() throws {
        var other = try SonarResolver(scalar: Self.block(12), entropy: .system)
        let value = try payload().broadcast
        var refusal: SonarRefusal?
        do throws(SonarRefusal) { _ = try other.open(value) } catch { refusal = error }
        #expect(refusal == .authenticationFailure)
    }

    @Test func `there is no identity after 2106, and none without randomness`() throws {
        var maker = try maker()
        #expect(throws: SonarRefusal.noTime) { try Sonar.identity(at: 1 << 32, by: &maker) }
        let registration = maker.registration
        var dry = SonarMaker(
            registration, txPowerDBm: 0, entropy: Entropy { _, _, _ in Entropy.failure })
        #expect(throws: SonarRefusal.noEntropy) { try Sonar.identity(at: Self.noon, by: &dry) }
    }
}

import Cryptography
import FixedMemory
import TestSupport
import Testing

@testable import Schemes

/// Attacks on the schemes and their outcome: the table in docs/schemes.md, row by row. Some attacks work,
/// because they exploit a format that is not ours. Then the test shows that they do, and how far.

private let noon: UInt64 = 1_588_852_800  // 2020-05-07 12:00 UTC

private func block<let count: Int>(_ seed: UInt64) -> Bytes<count> {
    var generator = SeededGenerator(seed: seed)
    return Bytes(generator.bytes(count).span) ?? Bytes()
}

@Suite struct SonarAttackTests {
    private static let authority: Bytes<32> = block(11)
    private static let victim: Bytes<16> = block(1)
    private static let secret: Bytes<32> = block(2)

    private func resolver() throws -> SonarResolver {
        try SonarResolver(scalar: Self.authority, entropy: .system)
    }

    private func maker(
        secret: Bytes<32> = secret, authority: Bytes<32> = authority,
        periodSeconds: UInt32 = SonarMaker.secondsPerDay
    ) throws -> SonarMaker {
        let key = try SonarResolver(scalar: authority, entropy: .system).publicKey
        let registration = SonarRegistration(
            installation: Self.victim, secret: secret, authorityKey: key)
        return SonarMaker(registration, periodSeconds: periodSeconds, txPowerDBm: -7, entropy: .system)
    }

    /// The authority's verdict on a payload handed in as seen at a time.
    private func verdict(of payload: SonarPayload, seenAt seconds: UInt64) throws -> SonarRefusal? {
        var resolver = try resolver()
        do throws(SonarRefusal) {
            _ = try resolver.resolve(payload, observedAt: seconds) {
                $0 == Self.victim ? Self.secret : nil
            }
            return nil
        } catch {
            return error
        }
    }

    /// The longest run of bytes that are equal at the same place in both payloads.
    private func sharedByteCount(_ first: SonarPayload, _ second: SonarPayload) -> Int {
        let (first, second) = (first.encoded, second.encoded)
        var (longest, current) = (0, 0)
        for index in 0..<SonarPayload.byteCount {
            current = first[index] == second[index] ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }

    @Test func `a device can be tracked within a period, and not across periods`() throws {
        for period in [SonarMaker.secondsPerDay, 900] {
            var maker = try maker(periodSeconds: period)
            let first = try Sonar.identity(at: noon, by: &maker)
            let within = try Sonar.identity(at: noon + 600, by: &maker)
            let behind = try Sonar.identity(at: first.validity.endSeconds, by: &maker)
            #expect(sharedByteCount(first.identity, within.identity) >= 109)
            // The country, two bytes; and a byte or two by chance.
            #expect(sharedByteCount(first.identity, behind.identity) <= 4)
        }
    }

    @Test func `a payload replayed elsewhere is accepted for ten minutes, and no longer`() throws {
        var maker = try maker()
        let payload = try Sonar.identity(at: noon, by: &maker).identity
        #expect(try verdict(of: payload, seenAt: noon + 600) == nil)
        #expect(try verdict(of: payload, seenAt: noon + 601) == .staleTransmissionTime)
        #expect(try verdict(of: payload, seenAt: noon + 86_400) == .outsideValidity)
        // Its receiver can see that, too, although it has no key.
        #expect(!payload.isFresh(observedAt: noon + 601))
    }

    @Test func `an old payload with a new time, or a higher power, is refused`() throws {
        var maker = try maker()
        let payload = try Sonar.identity(at: noon, by: &maker).identity
        let later = SonarPayload(payload.broadcast, -7, UInt32(noon + 3_600), auth: payload.auth)
        // A receiver accepts it, because it cannot check the code. The authority does not.
        #expect(later.isFresh(observedAt: noon + 3_600))
        #expect(try verdict(of: later, seenAt: noon + 3_600) == .authMismatch)
        let louder = SonarPayload(payload.broadcast, 20, payload.transmissionSeconds, auth: payload.auth)
        #expect(try verdict(of: louder, seenAt: noon) == .authMismatch)
    }

    @Test func `a payload shows when it was read, even if a third party relays it`() throws {
        var maker = try maker()
        for delay: UInt64 in [0, 1, 599, 7_200] {
            let bytes = try Sonar.identity(at: noon + delay, by: &maker).identity.encoded
            #expect(try Sonar.read(bytes.span).transmissionSeconds == UInt32(noon + delay))
        }
    }

    @Test func `a code moved to another answer's time, or to another day's value, is refused`() throws {
        var maker = try maker()
        let first = try Sonar.identity(at: noon, by: &maker).identity
        let second = try Sonar.identity(at: noon + 60, by: &maker).identity
        let tomorrow = try Sonar.identity(at: noon + 86_400, by: &maker).identity
        let exchanged = SonarPayload(first.broadcast, -7, first.transmissionSeconds, auth: second.auth)
        #expect(try verdict(of: exchanged, seenAt: noon) == .authMismatch)
        let dated = SonarPayload(tomorrow.broadcast, -7, first.transmissionSeconds, auth: first.auth)
        #expect(try verdict(of: dated, seenAt: noon) == .outsideValidity)
    }

    @Test func `a board given an attacker's key is readable by the attacker, not by the authority`() throws {
        let thief: Bytes<32> = block(12)
        var maker = try maker(authority: thief)
        let payload = try Sonar.identity(at: noon, by: &maker).identity
        var reader = try SonarResolver(scalar: thief, entropy: .system)
        #expect(try reader.open(payload.broadcast).installation == Self.victim)
        #expect(try verdict(of: payload, seenAt: noon) == .authenticationFailure)
    }

    @Test func `stolen installation secrets identify a payload's owner without any private key`()
        throws
    {
        var maker = try maker()
        let payload = try Sonar.identity(at: noon, by: &maker).identity
        let stolen = (100..<150).map { block($0) as Bytes<32> } + [Self.secret]
        let fitting = stolen.indices.filter { (try? payload.verify(secret: stolen[$0])) != nil }
        #expect(fitting == [50])
    }

    @Test func `a thief of an installation's number and secret can impersonate it`() throws {
        var forger = try maker()
        let payload = try Sonar.identity(at: noon, by: &forger).identity
        #expect(try verdict(of: payload, seenAt: noon) == nil)
        // The number alone, which uploads have in clear, does not suffice.
        var guesser = try maker(secret: block(3))
        let guessed = try Sonar.identity(at: noon, by: &guesser).identity
        #expect(try verdict(of: guessed, seenAt: noon) == .authMismatch)
    }

    @Test func `a point outside the curve is refused before any computation with it`() throws {
        var maker = try maker()
        var bytes = try Sonar.identity(at: noon, by: &maker).identity.encoded
        bytes[65] ^= 1
        let changed = bytes
        #expect(throws: SonarRefusal.invalidPublicKey) { try Sonar.read(changed.span) }
    }

    @Test func `a request with a changed body, or one an hour later, has another signature`() throws {
        func signature(_ time: String, _ body: String) throws -> Bytes<32> {
            let (time, body) = (Array(time.utf8), Array(body.utf8))
            return try SonarRequest.signature(
                timestamp: time.span, body: body.span, secret: Self.secret)
        }
        let signed = try signature("2020-05-07T12:00:00Z", #"{"symptoms":["COUGH"]}"#)
        #expect(try signature("2020-05-07T12:00:00Z", #"{"symptoms":["NAUSEA"]}"#) != signed)
        #expect(try signature("2020-05-07T13:00:00Z", #"{"symptoms":["COUGH"]}"#) != signed)
        // Nothing separates the two, so bytes moved from the one to the other keep the signature.
        #expect(try signature("2020-05-07T12:00:00Z{", #""symptoms":["COUGH"]}"#) == signed)
    }
}

@Suite struct PublishedKeyAttackTests {
    @Test func `CovidTracer: a replayed identifier matches within the hour, and not later that day`()
        throws
    {
        var root = CovidTracerRootKey(block(20))
        let identifier = try CovidTracer.identity(at: noon, by: &root).identity
        let key = try root.dailyKey(of: CovidTracerHour(containing: noon).date)
        #expect(try CovidTracer.matches(identifier, seenAt: noon + 3_600, key))
        #expect(try !CovidTracer.matches(identifier, seenAt: noon + 5 * 3_600, key))
    }

    @Test func `CovidTracer: a stolen root reveals every day, past and future`() throws {
        let root = CovidTracerRootKey(block(20))
        let lastYear = noon - 365 * 86_400
        var owner = root
        let shown = try CovidTracer.identity(at: lastYear, by: &owner).identity
        let derived = try root.dailyKey(of: CovidTracerHour(containing: lastYear).date)
        #expect(try CovidTracer.matches(shown, seenAt: lastYear, derived))
        // A day's key reveals that day, and no other.
        let today = try root.dailyKey(of: CovidTracerHour(containing: noon).date)
        #expect(try !CovidTracer.matches(shown, seenAt: lastYear, today))
        let renamed = CovidTracerDailyKey(date: derived.date, bytes: today.bytes)
        #expect(try !CovidTracer.matches(shown, seenAt: lastYear, renamed))
    }

    @Test
    func `BLE-Proximity: anyone can publish an observed identity for the time of its observation`()
        throws
    {
        var maker = BLEProximityMaker(periodSeconds: 900, entropy: .system)
        let own = try BLEProximity.identity(at: noon, by: &maker)
        let slander = Timed(own.identity, own.validity)
        #expect(try BLEProximity.matches(own.identity, seenAt: noon, slander))
        // A published identity replayed on another day is not accepted.
        #expect(try !BLEProximity.matches(own.identity, seenAt: noon + 86_400, slander))
    }

    @Test
    func
        `Exposure Notification: a replayed identifier is accepted for two more hours, and never later`()
        throws
    {
        var maker = try exposureMaker()
        let own = try ExposureNotification.identity(at: noon, by: &maker)
        let key = try #require(maker.key)
        let identifier = own.identity.identifier
        #expect(try ExposureNotification.matches(identifier, seenAt: noon + 7_200, key))
        #expect(try !ExposureNotification.matches(identifier, seenAt: noon + 7_800, key))
        #expect(try !ExposureNotification.matches(identifier, seenAt: noon + 86_400, key))
    }

    @Test func `Exposure Notification: a replayed identifier can claim a higher transmit power undetected`()
        throws
    {
        var maker = try exposureMaker()
        let own = try ExposureNotification.identity(at: noon, by: &maker)
        let key = try #require(maker.key)
        var metadata = own.identity.metadata.bytes
        // Counter mode: a flipped bit in the ciphertext flips that bit in the text. -20 dBm becomes 108.
        metadata[1] ^= 0x80
        let opened = try RollingKeys(key).decrypt(
            AssociatedEncryptedMetadata(metadata), with: own.identity.identifier)
        #expect(opened.txPowerDBm == 108)
        #expect(try ExposureNotification.matches(own.identity.identifier, seenAt: noon, key))
    }

    @Test func `Herald: an identifier is accepted for one more period, and another day's key does not match`()
        throws
    {
        var generator = SeededGenerator(seed: 5)
        let schedule = HeraldKeySchedule(secret: generator.bytes(2_048).span, epochDay: 18_262)
        var maker = HeraldIdentifierMaker(schedule)
        let own = try Herald.identity(at: noon, by: &maker)
        let day = try schedule.period(at: noon * 1_000).day
        var keys: [HeraldMatchingKey] = []
        for number in [day, day + 1] {
            var (chain, allowance) = (schedule.chain(toDay: number), 5_000)
            let made = chain.advance(&allowance)
            keys.append(
                HeraldMatchingKey(daysSince1970: 18_262 + UInt32(number), key: try #require(made)))
        }
        #expect(try Herald.matches(own.identity, seenAt: own.validity.endSeconds + 359, keys[0]))
        #expect(try !Herald.matches(own.identity, seenAt: own.validity.endSeconds + 360, keys[0]))
        #expect(try !Herald.matches(own.identity, seenAt: noon, keys[1]))
    }

    private func exposureMaker() throws -> ExposureNotificationMaker {
        ExposureNotificationMaker(
            metadata: AssociatedMetadata(
                majorVersion: 1, minorVersion: 1, calibrationConfidence: 3, txPowerDBm: -20),
            entropy: .system)
    }
}

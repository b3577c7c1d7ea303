import ArchiveTestSupport
import Authority
import Cryptography
import EncounterLog
import FixedMemory
import Schemes
import TestSupport
import Testing

@testable import Archive
@testable import Exposure

@Suite struct SonarSubmissionTests {
    /// In seconds since 1970.
    private let morning = SampleWorld.morning.seconds
    private let phone: SonarMaker

    init() throws {
        let key = try P256PrivateKey(entropy: .system).publicKey
        phone = SonarMaker(
            SonarRegistration(installation: Bytes(), secret: Bytes(), authorityKey: key), txPowerDBm: 0,
            entropy: .system)
    }

    private func encounter(
        _ payload: [UInt8], at seconds: UInt64, samples: [Int64] = [0, 8, 20], powerDBm: Int? = nil,
        isDated: Bool = true
    ) -> Encounter {
        let start = Int64(seconds) * 1_000
        func point(_ milliseconds: Int64) -> TimelinePoint {
            TimelinePoint(milliseconds: start + milliseconds)
        }
        return SampleWorld.encounter(
            with: Identity(scheme: SchemeCode(.sonar), payload: payload),
            on: isDated ? .wallClock(error: 40) : .sinceStart(boot: 1), point(0)...point(28_000),
            readingCount: 60,
            samples: samples.map {
                Sample(
                    start: point($0 * 1_000), end: point(($0 + 8) * 1_000),
                    readingCount: 20, minimumDBm: -80, maximumDBm: -60, meanDBm: -70.4, txPowerDBm: powerDBm)
            })
    }

    private func answer(at seconds: UInt64, by maker: inout SonarMaker) throws -> [UInt8] {
        [UInt8](copying: try Sonar.identity(at: seconds, by: &maker).identity.encoded.span)
    }

    @Test func `One value is one contact, however often it was read, with the payload that was read first`()
        throws
    {
        var maker = phone
        let early = try answer(at: morning + 5, by: &maker)
        let late = try answer(at: morning + 600, by: &maker)
        let submission = SonarSubmission([
            encounter(late, at: morning + 595), encounter(early, at: morning),
        ])
        let event = try #require(submission.events.first)
        #expect(submission.events.count == 1)
        #expect(event.payload.transmissionSeconds == UInt32(morning + 5))
        #expect(event.startSeconds == UInt32(morning))
        #expect(event.durationSeconds == 623)
        #expect(event.rssiValuesDBm == [Int8](repeating: -70, count: 6))
        #expect(event.rssiIntervalsSeconds == [0, 8, 12, 575, 8, 12])
        #expect(event.observedAt == morning + 5)
    }

    @Test(arguments: [(-7, -7), (nil, SonarContactEvent.noTxPower)] as [(Int?, Int8)])
    func `A contact has the transmit power that the adverts stated`(advertised: Int?, uploaded: Int8) throws {
        var maker = phone
        let payload = try answer(at: morning, by: &maker)
        let contacts = SonarSubmission([encounter(payload, at: morning, powerDBm: advertised)]).events
        #expect(contacts.map(\.txPowerAdvertisedDBm) == [uploaded])
    }

    @Test func `Two values are two contacts, in order of time`() throws {
        var (maker, other) = (phone, phone)
        let submission = SonarSubmission([
            encounter(try answer(at: morning, by: &maker), at: morning + 60),
            encounter(try answer(at: morning, by: &other), at: morning),
        ])
        #expect(submission.events.map(\.startSeconds) == [UInt32(morning), UInt32(morning + 60)])
    }

    @Test func `A contact whose samples are lost keeps its times`() throws {
        var maker = phone
        let payload = try answer(at: morning, by: &maker)
        let event = try #require(SonarSubmission([encounter(payload, at: morning, samples: [])]).events.first)
        #expect(event.rssiValuesDBm.isEmpty)
        #expect(event.durationSeconds == 28)
    }

    @Test func `Contacts without a time or a valid identity are counted and not reported`() throws {
        var maker = phone
        let payload = try answer(at: morning, by: &maker)
        let submission = SonarSubmission([
            encounter(payload, at: morning, isDated: false),
            encounter(Array(payload.dropLast()), at: morning),
            encounter(payload, at: UInt64(UInt32.max)),
        ])
        #expect(submission.events.isEmpty)
        #expect((submission.undatedCount, submission.unreadableCount) == (2, 1))
    }

    @Test func `Samples with times outside the contact are reported at the nearest end of the contact`()
        throws
    {
        var maker = phone
        let payload = try answer(at: morning, by: &maker)
        let event = try #require(
            SonarSubmission([encounter(payload, at: morning, samples: [-500, 10, 5_000_000_000])]).events
                .first)
        #expect(event.rssiIntervalsSeconds == [0, 10, 18])
    }

    @Test func `A payload counts as read at the moment of its contact nearest to its own time`() throws {
        var maker = phone
        for (payloadAt, expected) in [(-700, 0), (0, 0), (10, 10), (28, 28), (700, 28)] {
            let payload = try answer(at: UInt64(Int64(morning) + Int64(payloadAt)), by: &maker)
            let event = try #require(SonarSubmission([encounter(payload, at: morning)]).events.first)
            #expect(event.observedAt == morning + UInt64(expected))
        }
    }
}

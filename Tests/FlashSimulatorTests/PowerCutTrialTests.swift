import EncounterLog
import FixedMemory
import TestSupport
import Testing

@testable import FlashSimulator

/// The verdict can fail: it detects a log that loses, invents or stops.
@Suite struct PowerCutTrialTests {
    private func counts(
        medium: PowerCutScenario.Medium = .nor, pages: PowerCutScenario.Pages = .clear,
        mode: PowerCutScenario.Mode = .torn, operation: Int? = nil,
        sabotage: @escaping (SimulatedMedium) -> Void = { _ in }
    ) throws -> PowerCutCounts {
        var selection = PowerCutTrial.Selection()
        // `make powercut` cuts every operation.
        selection.stride = 509
        selection.allErasures = false
        selection.only = operation
        let trial = try PowerCutTrial(
            PowerCutScenario(medium: medium, pages: pages, mode: mode, seed: 1), selection, sabotage: sabotage
        )
        try trial.run()
        return trial.counts
    }

    @Test(arguments: PowerCutScenario.Medium.allCases, PowerCutScenario.Mode.allCases)
    func `the log outlives power cuts`(medium: PowerCutScenario.Medium, mode: PowerCutScenario.Mode) throws {
        let counts = try counts(medium: medium, mode: mode)
        #expect(!counts.hasFailed, "\(counts)")
        // An overwritable medium is erased once, by formatting.
        #expect(medium == .file ? counts.erasures == 1 : counts.erasures >= 32)
        #expect(counts.cuts > 1)
        #expect(counts.cutsAgain > 5 * counts.cuts)
    }

    @Test func `sealed, too`() throws {
        let counts = try counts(pages: .sealed, operation: 301)
        #expect(!counts.hasFailed, "\(counts)")
        #expect(counts.cuts == 1)
        #expect(counts.cutsAgain >= 7)
    }

    @Test(arguments: PowerCutScenario.Pages.allCases)
    func `an acknowledged page that is lost is counted`(pages: PowerCutScenario.Pages) throws {
        let counts = try counts(pages: pages, operation: 301) { medium in
            for index in medium.range(ofBlock: 1) { medium.bytes[index] = 0 }
        }
        #expect(counts.lost > 0)
        #expect(counts.stuck == 0)
    }

    @Test func `a device that forgets what it has synced is found out`() throws {
        let counts = try counts(operation: 301) { medium in
            let used = medium.bytes.indices.last { medium.bytes[$0] != 0xff } ?? 0
            for index in max(0, used - 400)...used { medium.bytes[index] = 0xff }
        }
        #expect(counts.lost > 0)
    }

    @Test func `an entry that was never appended is counted`() throws {
        let counts = try counts(operation: 301) { Self.append(90_001, to: $0) }
        #expect(counts.wrong > 0)
        #expect(counts.lost == 0)
    }

    @Test func `an entry that stands there twice is counted`() throws {
        let counts = try counts(operation: 301) { Self.append(3, to: $0) }
        #expect(counts.wrong > 0)
    }

    @Test func `a log that takes nothing more is counted`() throws {
        let counts = try counts(operation: 301) { $0.programFails = { _ in true } }
        #expect(counts.stuck > 0)
    }

    @Test func `a log that cannot be mounted is counted`() throws {
        let counts = try counts(operation: 301) { $0.readFails = { _ in true } }
        #expect(counts.stuck > 0)
    }

    @Test func `an identity that is reported lost and was not is an error`() {
        var ledger = LogLedger(segmentCount: 4)
        _ = ledger.begin()
        _ = ledger.recordAppend()
        ledger.acknowledge(allBut: 0, in: 3)
        var reading = LogReading()
        reading.pages = [
            LogReading.Page(
                position: LogPosition(segmentOrdinal: 3, byteOffset: 0), byteCount: 100, bootIdentifier: 1,
                numbers: [0], lostIdentityCount: 1, chainBefore: nil, chainBehind: Bytes())
        ]
        #expect(ledger.judge(reading) == LogLedger.Verdict(wrong: 1, lost: 0))
        // The erasure was begun, and cut.
        ledger.recordErasure(slot: 3)
        #expect(ledger.judge(reading) == LogLedger.Verdict(wrong: 0, lost: 0))
    }

    @Test func `an identity that was never appended is found`() {
        let numbers = [5, 13, 21, 29, 37]
        for number in numbers {
            guard case .encounterIdentified(let entry) = NumberedEntries.entry(number) else {
                Issue.record("\(number) has an identity")
                continue
            }
            var other = entry
            other.scheme = SchemeCode(.sonar)
            #expect(NumberedEntries.number(of: .encounterIdentified(other)) == nil)
            let hash = IdentityHash(scheme: entry.scheme, identity: entry.identity)
            var reference = IdentityReferenceEntry(
                encounter: entry.encounter, instant: entry.instant, scheme: entry.scheme, hash: hash)
            #expect(NumberedEntries.number(of: reference) == number)
            reference.hash.value ^= 1
            #expect(NumberedEntries.number(of: reference) == nil)
        }
    }

    /// Appends an entry like a log that does not know the number was used.
    private static func append(_ number: Int, to medium: SimulatedMedium) {
        let entry = SampleEntry(
            encounter: UInt32(number), start: Instant(milliseconds: UInt64(number) * 800),
            end: Instant(milliseconds: UInt64(number) * 800 + 7_900), readings: UInt16(number % 60 + 1),
            minimumRSSIDBm: -80, maximumRSSIDBm: -60, meanRSSITenthsDBm: -655)
        do throws(LogError) {
            var log = try EncounterLog(
                mounting: SimulatedFlash(medium), newLogIdentity: Bytes(), bootIdentifier: 1)
            try log.append(.sample(entry), now: 0)
            try log.commit()
        } catch {
            Issue.record("\(error)")
        }
    }
}

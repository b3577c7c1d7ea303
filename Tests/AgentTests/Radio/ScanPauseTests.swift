import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers
@testable import Radio

/// Which pauses of the scan the coverage bridges: those of up to three seconds.
@Suite struct ScanPauseTests {
    /// A scan that hears a peer every 100 ms while it is on, from 0 s to 10 s and again until 20 s.
    private struct Scan {
        private let settings: RadioSettings
        private var scanner = Scanner()
        private var keeper = CoverageKeeper(now: .start)
        private(set) var entries: [CoverageEntry] = []

        init() throws {
            settings = RadioSettings(
                address: .staticRandom(seed: 1), transmitPower: try #require(TransmitPower(dBm: 8)))
        }

        /// Lets the controller obey a command at once.
        private mutating func perform(_ step: Scanner.Step, at now: Instant) {
            let command = scanner.command(
                for: step, .legacy, timing: settings.duty.near, under: settings.address, now: now)
            _ = scanner.didReceiveAnswer(
                to: step, command.opCode, .success, isAdvertising: false, now: now)
        }

        /// - Parameters:
        ///   - end: when the pause ends that begins at 10 s.
        ///   - moment: when the scan is started in the pause, and stopped at once.
        mutating func run(pauseUntil end: UInt64, momentAt moment: UInt64? = nil) {
            perform(.start, at: 100)
            var heard = Instant.start
            for time in stride(from: 100, through: 20_000, by: 100) as StrideThrough<UInt64> {
                let now = Instant.start + .milliseconds(time)
                if time == 10_000 { perform(.stop, at: now) }
                if time == end { perform(.start, at: now) }
                if time == moment {
                    perform(.start, at: now)
                    perform(.stop, at: now)
                }
                if scanner.isSurelyScanning { heard = now }
                let entry = keeper.advance(
                    CoverageKeeper.Scan(scanner, lastGood: heard), confirmed: heard, firstGood: nil,
                    counters: RecorderCounters(), isWanted: time == 20_000, now: now)
                if let entry { entries.append(entry) }
            }
        }
    }

    private func covered(pauseUntil end: UInt64, momentAt moment: UInt64? = nil) throws -> [Range<Instant>] {
        var scan = try Scan()
        scan.run(pauseUntil: end, momentAt: moment)
        return scan.entries.map { $0.start..<$0.end }
    }

    @Test func `a pause of three seconds is bridged, and a longer one is not`() throws {
        #expect(try covered(pauseUntil: 13_000) == [100..<20_000])
        #expect(try covered(pauseUntil: 13_500) == [100..<9_900, 13_500..<20_000])
    }

    @Test func `a scan that is stopped as soon as it is started does not divide a pause`() throws {
        #expect(try covered(pauseUntil: 13_000, momentAt: 11_500) == [100..<20_000])
        #expect(try covered(pauseUntil: 14_000, momentAt: 11_500) == [100..<9_900, 14_000..<20_000])
    }
}

import EncounterLog
import FixedMemory
import HCI
import Testing

@testable import Peers
@testable import Radio

/// Which timing the coverage states when the scan's timing changes: never a denser one than there was.
@Suite struct CoverageTimingTests {
    private static let dense = ScanTiming(intervalSlots: 96, windowSlots: 48)
    private static let sparse = ScanTiming(intervalSlots: 960, windowSlots: 48)

    /// A scan with `first` from 0.1 s on and with `second` from 10 s on, confirmed only at these times.
    private func entries(
        _ first: ScanTiming, then second: ScanTiming, confirmedAt confirmations: [UInt64]
    ) throws -> [CoverageEntry] {
        var scanner = Scanner()
        var keeper = CoverageKeeper(now: .start)
        var entries: [CoverageEntry] = []
        let address = DeviceAddress.staticRandom(seed: 1)
        func perform(_ step: Scanner.Step, _ timing: ScanTiming, at now: Instant) {
            let command = scanner.command(for: step, .legacy, timing: timing, under: address, now: now)
            _ = scanner.didReceiveAnswer(
                to: step, command.opCode, .success, isAdvertising: false, now: now)
        }
        var confirmed = Instant.start
        for time in stride(from: 100, through: 20_000, by: 100) as StrideThrough<UInt64> {
            let now = Instant.start + .milliseconds(time)
            if time == 100 || time == 10_000 {
                let timing = time == 100 ? first : second
                if scanner.isScanning { perform(.stop, timing, at: now) }
                perform(.parameters, timing, at: now)
                perform(.start, timing, at: now)
            }
            if confirmations.contains(time) { confirmed = now }
            let entry = keeper.advance(
                CoverageKeeper.Scan(scanner, lastGood: nil), confirmed: confirmed, firstGood: nil,
                counters: RecorderCounters(), isWanted: time == 20_000, now: now)
            if let entry { entries.append(entry) }
        }
        return entries
    }

    @Test func `time confirmed only after a scan became sparser counts as sparse`() throws {
        let entries = try entries(Self.dense, then: Self.sparse, confirmedAt: [100, 6_000, 19_000])
        #expect(entries.map { $0.start..<$0.end } == [100..<6_000, 6_000..<19_000])
        #expect(entries.map(\.timing) == [Self.dense, Self.sparse])
    }

    @Test func `a scan counts as denser from the change on, however late that is confirmed`() throws {
        let entries = try entries(Self.sparse, then: Self.dense, confirmedAt: [100, 6_000, 19_000])
        #expect(entries.map { $0.start..<$0.end } == [100..<10_000, 10_000..<19_000])
        #expect(entries.map(\.timing) == [Self.sparse, Self.dense])
    }
}

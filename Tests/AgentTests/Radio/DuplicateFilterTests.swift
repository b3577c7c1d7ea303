import FixedMemory
import HCI
import Peers
import Testing

@testable import Radio

/// Devices near a board, and what the detector of a duplicate filter makes of the times when they are heard.
/// All times are in milliseconds.
private struct Room: ~Copyable {
    var detector = DuplicateFilterDetector()
    var health = RadioHealth()
    /// Whether scanning and advertising take turns. Then the scan starts all the time.
    var isTimeMultiplexed = false
    /// Whether the scan listens for a part of the time only.
    var isSparse = false
    private var recorder: Recorder
    private var statistics = ScanStatistics()
    private var scanStarts: UInt32 = 0

    init() throws {
        recorder = try Recorder(settings: RecorderSettings(), hashSeed: 1)
    }

    private var observed: RadioHealth.Observation {
        RadioHealth.Observation(
            statistics: statistics, isScanning: true, proof: ScanProof(isPossible: true), hasLinks: false,
            hasRoles: true, refusal: nil, scanStarts: isTimeMultiplexed ? nil : scanStarts,
            isSparse: isSparse, moves: 0,
            skippedByteCount: 0, malformedEvents: 0)
    }

    mutating func hear(_ device: UInt8, at now: UInt64) {
        // One advert with three bytes of data, at -60 dBm.
        let event: [UInt8] = [2, 1, 0, 1, device, 0, 0, 0, 0, 0xc0, 3, 2, 1, 6, 0xc4]
        let packet = [4, 0x3e, UInt8(event.count)] + event
        guard case .advertisingReports(let reports)? = try? Event(packet.span) else {
            preconditionFailure("the event is an advertising report")
        }
        ReportIntake.take(
            reports, recorder: &recorder, statistics: &statistics, now: .start + .milliseconds(now))
    }

    mutating func check(at now: UInt64) {
        detector.advance(observed, peers: recorder.peers, now: .start + .milliseconds(now))
        _ = health.advance(observed, peers: recorder.peers, now: .start + .milliseconds(now))
    }

    mutating func renew(at now: UInt64) {
        detector.restart(observed, now: .start + .milliseconds(now))
        // The health leaves out the renewal's own start of the scan, which is none of the starts here.
        var before = observed
        before.scanStarts = before.scanStarts.map { $0 &- 1 }
        health.recordRenewal(before, now: .start + .milliseconds(now))
    }

    /// Lets the devices be heard and the scan start at these times, with a check each second from `first` to
    /// `last`.
    /// - Returns: whether a filter was found.
    mutating func run(
        _ heard: KeyValuePairs<UInt8, UInt64>, scanStarts starts: [UInt64], from first: UInt64,
        to last: UInt64
    ) -> Bool {
        run(heard.map { ($0.key, $0.value) }, scanStarts: starts, from: first, to: last)
    }

    mutating func run(
        _ heard: [(device: UInt8, time: UInt64)], scanStarts starts: [UInt64], from first: UInt64,
        to last: UInt64
    ) -> Bool {
        var times: [(time: UInt64, device: UInt8?)] = heard.map { ($0.time, $0.device) }
        times += starts.map { ($0, nil) }
        times.sort { $0.time < $1.time }
        renew(at: first)
        for now in stride(from: first + 1_000, through: last, by: 1_000) {
            while let next = times.first, next.time <= now {
                times.removeFirst()
                if let device = next.device { hear(device, at: next.time) } else { scanStarts += 1 }
            }
            check(at: now)
            if detector.isMissing { return true }
        }
        return false
    }
}

@Suite struct DuplicateFilterTests {
    /// Each device is heard once when the scan starts, at 1, 9.5 and 18.5 s.
    private static let echoes: KeyValuePairs<UInt8, UInt64> = [
        1: 1_200, 2: 1_300, 3: 1_400, 1: 9_700, 2: 9_800, 3: 9_900, 1: 18_700, 2: 18_800, 3: 18_900,
    ]

    @Test func `three devices that are heard once after each of two starts of the scan show a filter`() throws
    {
        var room = try Room()
        let isFound = room.run(Self.echoes, scanStarts: [9_500, 18_500], from: 1_000, to: 30_000)
        #expect(isFound)
    }

    @Test func `one start of the scan shows no filter`() throws {
        var room = try Room()
        let isFound = room.run(Self.echoes, scanStarts: [9_500], from: 1_000, to: 18_000)
        #expect(!isFound)
    }

    /// After a suspicion was dismissed, nothing begins the comparison anew for some time.
    @Test func `a filter is checked a thousand times after it was found`() throws {
        var room = try Room()
        let isFound = room.run(Self.echoes, scanStarts: [9_500, 18_500], from: 1_000, to: 30_000)
        #expect(isFound)
        for second in 31...1_030 as ClosedRange<UInt64> { room.check(at: second * 1_000) }
        let isMissing = room.detector.isMissing
        #expect(isMissing)
    }

    /// A filter cannot be found while the scan starts all the time, so it cannot be missed either.
    @Test func `a suspected filter is over once roles are time-multiplexed and devices are heard`() throws {
        var room = try Room()
        _ = room.run(Self.echoes, scanStarts: [9_500, 18_500], from: 1_000, to: 30_000)
        #expect(room.health.suspectedFault == .wrongScanMode(.duplicatesFiltered))
        room.isTimeMultiplexed = true
        room.renew(at: 31_000)
        for second in 32...40 as ClosedRange<UInt64> {
            for device in 1...3 as ClosedRange<UInt8> { room.hear(device, at: second * 1_000) }
            room.check(at: second * 1_000)
        }
        #expect(room.health.suspectedFault == nil)
    }

    /// Attempts to connect start the scan again. A filter would have passed each device once after a start;
    /// here one device is heard three times between two starts.
    @Test func `repetitions of one device are no echo of a filter`() throws {
        var room = try Room()
        let isFound = room.run(
            [
                1: 24_200, 1: 28_200, 1: 30_200, 2: 30_750, 2: 31_230, 3: 31_240, 3: 31_750, 1: 34_230,
                1: 36_240,
            ], scanStarts: [21_260, 31_420, 32_150], from: 20_640, to: 45_640)
        #expect(!isFound)
    }

    /// Bursts of five connections, each 15 s long with the silence after it. Eight devices are heard once
    /// after each start of the scan.
    /// - Parameters:
    ///   - bursts: how many bursts there are.
    ///   - isSilent: whether the devices fall silent after each; else they go on once a second.
    private func bursts(_ bursts: UInt64, isSilent: Bool) throws -> Bool {
        var room = try Room()
        var heard: [(UInt8, UInt64)] = []
        var starts: [UInt64] = []
        for burst in (0..<bursts as Range<UInt64>).map({ 2_000 + $0 * 15_000 }) {
            for start in stride(from: burst, to: burst + 6_000, by: 1_200) as StrideTo<UInt64> {
                starts.append(start)
                for device in 0..<8 as Range<UInt8> { heard.append((device, start + 100 + UInt64(device))) }
            }
            guard !isSilent else { continue }
            for time in stride(from: burst + 6_500, to: burst + 15_000, by: 1_000) as StrideTo<UInt64> {
                for device in 0..<8 as Range<UInt8> { heard.append((device, time + UInt64(device))) }
            }
        }
        return room.run(heard, scanStarts: starts, from: 1_000, to: 2_000 + bursts * 15_000)
    }

    @Test func `silence after each of two bursts of connections shows a filter`() throws {
        #expect(try bursts(2, isSilent: true))
    }

    @Test func `silence after one burst of connections may be a departure`() throws {
        #expect(try !bursts(1, isSilent: true))
    }

    @Test func `devices that are heard after a burst of connections show that there is no filter`() throws {
        #expect(try !bursts(4, isSilent: false))
    }

    @Test func `a sparse scan that hears three devices once asks for a dense one, and judges nothing`() throws
    {
        var room = try Room()
        room.isSparse = true
        let isFound = room.run([1: 11_000, 2: 12_000, 3: 13_000], scanStarts: [], from: 10_000, to: 100_000)
        #expect(!isFound)
        #expect(room.detector.wantsDenseScan)
        #expect(room.detector.isAwaited)
        // The dense scan begins the comparison anew.
        room.isSparse = false
        room.check(at: 101_000)
        #expect(!room.detector.wantsDenseScan)
    }

    @Test func `a device that a sparse scan hears twice shows that there is no filter`() throws {
        var room = try Room()
        room.isSparse = true
        let isFound = room.run(
            [1: 11_000, 2: 12_000, 3: 13_000, 1: 14_000], scanStarts: [], from: 10_000, to: 30_000)
        #expect(!isFound)
        #expect(!room.detector.wantsDenseScan)
        #expect(room.detector.lastFound > .start)
    }
}

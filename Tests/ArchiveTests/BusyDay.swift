import EncounterLog
import FixedMemory
import Simulator

/// What a board writes on a busy day: who came by, how strongly heard, what they sent. Everything that would tell
/// somebody who was there is random, so that it can be looked for.
struct BusyDay {
    static let encountersPerBoot = 120
    static let hoursPerBoot = 8

    /// Entries with the time at which they are appended, by start of the agent.
    private(set) var boots: [[(milliseconds: UInt64, entry: LogEntry)]] = []
    /// What must not be found by whoever has no key.
    private(set) var secrets: [[UInt8]] = []

    init(seed: UInt64) {
        var random = RandomStream(seed: seed)
        for boot in 1...3 as ClosedRange<UInt64> { addBoot(boot, &random) }
    }

    private mutating func addBoot(_ boot: UInt64, _ random: inout RandomStream) {
        var entries: [(milliseconds: UInt64, entry: LogEntry)] = []
        let end = UInt64(Self.hoursPerBoot) * 3_600_000
        let own = secret(21, &random)
        entries.append((0, .boot(Self.boot(boot))))
        entries.append(
            (
                100,
                .ownIdentity(
                    OwnIdentityEntry(
                        monotonicMilliseconds: 100, address: address(&random), addressType: 1,
                        scheme: .herald,
                        identity: buffer(own)))
            ))
        for number in 1...UInt32(Self.encountersPerBoot) {
            entries += encounter(number, before: end, &random)
        }
        for minute in 1...UInt64(Self.hoursPerBoot * 60) {
            entries.append(
                (
                    minute * 60_000,
                    .coverage(
                        CoverageEntry(
                            startMilliseconds: (minute - 1) * 60_000, endMilliseconds: minute * 60_000,
                            reports: 4_000, malformed: 0, dropped: 0, evicted: 0))
                ))
        }
        boots.append(entries.sorted { $0.milliseconds < $1.milliseconds })
    }

    private mutating func encounter(
        _ number: UInt32, before end: UInt64, _ random: inout RandomStream
    ) -> [(milliseconds: UInt64, entry: LogEntry)] {
        let length = UInt64.random(in: 60_000...900_000, using: &random)
        let start = UInt64.random(in: 1_000...end - length - 60_000, using: &random)
        var entries: [(milliseconds: UInt64, entry: LogEntry)] = [
            (
                start,
                .encounterOpened(
                    EncounterOpenedEntry(
                        encounter: number, monotonicMilliseconds: start, address: address(&random),
                        addressType: 1, foundBy: .heraldService))
            ),
            (
                start + 400,
                .encounterIdentified(
                    EncounterIdentifiedEntry(
                        encounter: number, monotonicMilliseconds: start + 400, scheme: .herald,
                        identity: buffer(secret(21, &random))))
            ),
            (
                start + 900,
                .peerDetails(
                    PeerDetailsEntry(
                        encounter: number, monotonicMilliseconds: start + 900, detail: .pseudoAddress,
                        value: buffer(secret(6, &random))))
            ),
        ]
        for time in stride(from: start, to: start + length, by: 8_000) {
            entries.append(
                (
                    time + 8_000,
                    .sample(
                        SampleEntry(
                            encounter: number, startMilliseconds: time, endMilliseconds: time + 7_900,
                            readings: 30, minimumRSSIDBm: -80, maximumRSSIDBm: -60,
                            meanRSSITenthsDBm: Int16.random(in: -790...(-610), using: &random)))
                ))
        }
        if number.isMultiple(of: 10) {
            entries.append(
                (
                    start + 5_000,
                    .message(
                        MessageEntry(
                            encounter: number, monotonicMilliseconds: start + 5_000,
                            data: buffer(secret(40, &random))))
                ))
        }
        entries.append(
            (
                start + length + 30_000,
                .encounterClosed(
                    EncounterClosedEntry(
                        encounter: number, monotonicMilliseconds: start + length, readings: 900))
            ))
        return entries
    }

    private mutating func secret(_ count: Int, _ random: inout RandomStream) -> [UInt8] {
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        secrets.append(bytes)
        return bytes
    }

    private mutating func address(_ random: inout RandomStream) -> Bytes<6> {
        let bytes = secret(6, &random)
        secrets.append(bytes.reversed())
        return Bytes<6>(bytes.span) ?? Bytes()
    }

    private func buffer<let capacity: Int>(_ bytes: [UInt8]) -> FixedBuffer<capacity> {
        FixedBuffer<capacity>(bytes.span) ?? FixedBuffer<capacity>()
    }

    private static func boot(_ boot: UInt64) -> BootEntry {
        BootEntry(
            bootIdentifier: boot, monotonicMilliseconds: 0, softwareVersion: Bytes<3>(),
            sampleMilliseconds: 8_000, gapMilliseconds: 30_000, lossWindowMilliseconds: 30_000, role: .beacon)
    }
}

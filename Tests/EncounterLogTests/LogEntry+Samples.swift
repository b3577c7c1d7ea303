import FixedMemory
import TestSupport

@testable import EncounterLog

extension LogEntry {
    static func identified(byteCount: Int, marks: IdentityMarks = .none) -> LogEntry {
        var identity = FixedBuffer<512>()
        for index in 0..<byteCount { try? identity.append(UInt8(truncatingIfNeeded: index)) }
        return .encounterIdentified(
            EncounterIdentifiedEntry(
                encounter: 1, instant: 2, scheme: SchemeCode(.herald), identity: identity, marks: marks))
    }

    /// Two random entries of each kind, and entries with extreme field values.
    static let samples: [LogEntry] = {
        var generator = SeededGenerator(seed: 42)
        var entries = (0..<40).map { random(kind: $0 % 20, using: &generator) }
        entries.append(identified(byteCount: 0, marks: .written))
        entries.append(identified(byteCount: 512, marks: .timeUnchecked))
        for number in [0, UInt64.max] {
            let small = UInt32(truncatingIfNeeded: number)
            entries += [
                .encounterClosed(
                    EncounterClosedEntry(
                        encounter: small, instant: Instant(milliseconds: number), readings: small)),
                .anchor(
                    AnchorEntry(
                        instant: Instant(milliseconds: number),
                        wallClock: WallClockTime(milliseconds: number), errorMilliseconds: small,
                        source: AnchorSource(rawValue: UInt8(truncatingIfNeeded: number)))),
                // The log stores an end before the start as it is: it does not judge.
                .sample(
                    SampleEntry(
                        encounter: small, start: Instant(milliseconds: number),
                        end: Instant(milliseconds: ~number),
                        readings: UInt16(truncatingIfNeeded: number), minimumRSSIDBm: .min,
                        maximumRSSIDBm: .max, meanRSSITenthsDBm: .min, txPowerDBm: .min)),
            ]
        }
        return entries
    }()

    static func random(using generator: inout SeededGenerator) -> LogEntry {
        random(kind: Int.random(in: 0..<20, using: &generator), using: &generator)
    }

    private static func random(kind: Int, using generator: inout SeededGenerator) -> LogEntry {
        // Numbers of every length in bits.
        func number<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
            let bits = generator.next()
            return Value(truncatingIfNeeded: bits >> UInt64.random(in: 0...63, using: &generator))
        }
        func number() -> Instant { Instant(milliseconds: number()) }
        func number() -> WallClockTime { WallClockTime(milliseconds: number()) }
        // Entries have intervals of 32 bits.
        func number() -> Interval { .milliseconds(UInt64(number(UInt32.self))) }
        func data() -> FixedBuffer<512> {
            FixedBuffer(generator.bytes(Int.random(in: 0...512, using: &generator)).span) ?? FixedBuffer()
        }
        switch kind {
        case 0:
            var version = Bytes<3>()
            for index in 0..<3 { version[index] = number() }
            return .boot(
                BootEntry(
                    bootIdentifier: number(), instant: number(), softwareVersion: version,
                    sampleLength: number(), encounterTimeout: number(), lossWindow: number(),
                    role: LogRole(rawValue: number())))
        case 1:
            return .anchor(
                AnchorEntry(
                    instant: number(), wallClock: number(), errorMilliseconds: number(),
                    source: AnchorSource(rawValue: number())))
        case 2:
            var address = Bytes<6>()
            for index in 0..<6 { address[index] = number() }
            return .encounterOpened(
                EncounterOpenedEntry(
                    encounter: number(), instant: number(), address: address, addressType: number(),
                    foundBy: PeerHint(rawValue: number())))
        case 3:
            var identity = FixedBuffer<512>()
            let byteCount = Int.random(in: 0...512, using: &generator)
            for byte in generator.bytes(byteCount) { try? identity.append(byte) }
            return .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: number(), instant: number(), scheme: SchemeCode(rawValue: number()),
                    identity: identity,
                    marks: IdentityMarks(rawValue: .random(in: 1...255, using: &generator))))
        case 4:
            return .sample(
                SampleEntry(
                    encounter: number(), start: number(), end: number(),
                    readings: number(), minimumRSSIDBm: number(), maximumRSSIDBm: number(),
                    meanRSSITenthsDBm: number(), txPowerDBm: number()))
        case 5:
            return .encounterClosed(
                EncounterClosedEntry(encounter: number(), instant: number(), readings: number())
            )
        case 6:
            return .coverage(
                CoverageEntry(
                    start: number(), end: number(), reports: number(), malformed: number(),
                    dropped: number(), evicted: number(),
                    unlogged: .random(in: 0...127, using: &generator),
                    timing: ScanTiming(
                        intervalSlots: .random(in: 1...127, using: &generator),
                        windowSlots: .random(in: 1...127, using: &generator))))
        case 7:
            var (address, identity) = (Bytes<6>(), FixedBuffer<512>())
            for index in 0..<6 { address[index] = number() }
            let byteCount = Int.random(in: 0...512, using: &generator)
            for byte in generator.bytes(byteCount) { try? identity.append(byte) }
            return .ownIdentity(
                OwnIdentityEntry(
                    instant: number(), address: address, addressType: number(),
                    scheme: SchemeCode(rawValue: number()), identity: identity))
        case 8:
            var readings = PackedReadings()
            var time = Instant(milliseconds: number() >> 1)
            for _ in 0..<Int.random(in: 0...100, using: &generator) {
                guard readings.append(rssiDBm: number(), at: time) else { break }
                time += .milliseconds(.random(in: 0...5_000, using: &generator))
            }
            return .readings(ReadingsEntry(encounter: number(), readings: readings))
        case 9:
            var value = FixedBuffer<64>()
            for byte in generator.bytes(Int.random(in: 0...64, using: &generator)) { try? value.append(byte) }
            return .peerDetails(
                PeerDetailsEntry(
                    encounter: number(), instant: number(),
                    detail: PeerDetail(rawValue: number()), value: value))
        case 10:
            return .message(
                MessageEntry(encounter: number(), instant: number(), data: data()))
        case 11:
            return .sharedPayloads(
                SharedPayloadsEntry(
                    encounter: number(), instant: number(), rssiDBm: number(), payloads: data()))
        case 12:
            var gap = GapEntry(
                cause: GapCause(rawValue: number()), isAcknowledged: generator.next() % 2 == 0,
                segmentOrdinal: number(), byteCount: number())
            gap.instant = number()
            gap.segmentCount = number()
            gap.knowledge = number()
            gap.entryCount = number()
            gap.first = SegmentSummary.Moment(bootIdentifier: number(), instant: number())
            gap.last = SegmentSummary.Moment(bootIdentifier: number(), instant: number())
            return .gap(gap)
        case 13:
            var fingerprint = Bytes<16>()
            for index in 0..<16 { fingerprint[index] = number() }
            return .acknowledgement(
                AcknowledgementEntry(
                    instant: number(), position: LogPosition(segmentOrdinal: number(), byteOffset: number()),
                    operatorFingerprint: fingerprint))
        case 14:
            var digest = Bytes<16>()
            for index in 0..<16 { digest[index] = number() }
            return .configuration(
                ConfigurationEntry(
                    instant: number(), digest: digest, retentionDays: number(),
                    scans: generator.next() % 2 == 0, advertises: generator.next() % 2 == 0,
                    scanIntervalSlots: number(), scanWindowSlots: number(),
                    advertisingIntervalSlots: number(), peerCapacity: number(),
                    position: GeographicPosition(
                        latitudeMicrodegrees: number(), longitudeMicrodegrees: number())))
        case 15:
            return .identityRefused(
                IdentityRefusedEntry(
                    encounter: number(), instant: number(),
                    scheme: SchemeCode(rawValue: number()), reason: IdentityRefusal(rawValue: number()),
                    marks: IdentityMarks(rawValue: number()), bytes: data()))
        case 16:
            return .ownKey(
                OwnKeyEntry(
                    instant: number(), scheme: SchemeCode(rawValue: number()),
                    firstPeriod: number(), periodCount: number(),
                    key: FixedBuffer(generator.bytes(Int.random(in: 0...32, using: &generator)).span)
                        ?? FixedBuffer()))
        case 17:
            return .marker(MarkerEntry(instant: number(), origin: MarkerOrigin(rawValue: number())))
        case 18:
            return .battery(
                BatteryEntry(
                    instant: number(),
                    reading: BatteryReading(
                        percent: number(), millivolts: number(), state: BatteryState(rawValue: number()),
                        isLow: generator.next() % 2 == 0)))
        default:
            return .radio(
                RadioEntry(
                    instant: number(), event: RadioEvent(rawValue: number()),
                    fault: RadioFaultKind(rawValue: number()), rung: RecoveryRung(rawValue: number()),
                    detail: number()))
        }
    }
}

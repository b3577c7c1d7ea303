import Archive
import EncounterLog
import FixedMemory
import FlashSimulator
import LogContents
import Schemes
import TestSupport

/// A log of some hours: segments written by the real implementation.
struct TestLog {
    static let blockByteCount = 256

    let board: LogIdentity
    let segments: [FetchedSegment]
    private let key: TestKey
    private let head: LogHead

    /// Stores all segments in an archive, as a fetch does.
    func fetch(
        into archive: Archive, changing: (UInt32, inout [UInt8]) -> Void = { _, _ in }
    ) throws {
        for segment in segments {
            var bytes = segment.bytes
            changing(segment.ordinal, &bytes)
            try archive.append(bytes, at: 0, segment: segment.ordinal, of: board)
            if segment.isComplete {
                try archive.markComplete(segment: segment.ordinal, of: board, isVerified: true)
            }
        }
        try sign(into: archive)
    }

    /// Stores the board's key, and a manifest with the end of its log, or of a segment.
    func sign(into archive: Archive, through segment: FetchedSegment? = nil) throws {
        let head = try segment.map(Self.end) ?? head
        try archive.record(
            StoredBoardKey(
                BoardKeyring(
                    publicKey: key.publicHalf.x963, ownerFingerprint: nil, operatorFingerprint: nil),
                isVouched: true, shownAt: noon), of: board)
        try archive.record(StoredManifest(head, of: board, by: key), of: board)
    }

    /// Two boots with `trackCount` encounters each.
    init(trackCount: Int = 12) throws {
        try self.init { Self.entries(boot: $0, trackCount: trackCount) }
    }

    /// Two boots, numbered from 1, with these entries.
    init(entries: (UInt64) -> [LogEntry]) throws {
        guard
            let geometry = FlashGeometry(
                blockByteCount: Self.blockByteCount, blocksPerSegment: 4, segmentCount: 64)
        else { preconditionFailure("the geometry is within its bounds") }
        key = try TestKey()
        var flash = MemoryFlash(geometry)
        var identity = Bytes<16>()
        for index in 0..<16 { identity[index] = UInt8(index + 1) }
        for boot in 1...2 as ClosedRange<UInt64> {
            var log = try EncounterLog(mounting: flash, newLogIdentity: identity, bootIdentifier: boot)
            for entry in entries(boot) {
                try log.append(entry, now: 0)
            }
            try log.commit()
            if boot == 2 {
                segments = try FetchedSegment.all(of: &log)
                board = .test
                head = log.head
                return
            }
            flash = try Self.medium(of: &log, geometry)
        }
        preconditionFailure("there are two starts")
    }

    var byteCount: Int { segments.reduce(0) { $0 + $1.bytes.count } }

    /// The medium as the next boot finds it.
    private static func medium(
        of log: inout EncounterLog<MemoryFlash>, _ geometry: FlashGeometry
    ) throws -> MemoryFlash {
        var flash = MemoryFlash(geometry)
        for segment in try FetchedSegment.all(of: &log) {
            let slot = Int(segment.ordinal) % geometry.segmentCount
            for page in 0..<segment.bytes.count / blockByteCount {
                let bytes = Array(segment.bytes[page * blockByteCount..<(page + 1) * blockByteCount])
                try flash.program(
                    block: slot * geometry.blocksPerSegment + page, offset: 0, from: bytes.span)
            }
        }
        return flash
    }

    static func entries(boot: UInt64, trackCount: Int) -> [LogEntry] {
        var version = Bytes<3>()
        version[1] = 1
        var entries: [LogEntry] = [
            .boot(
                BootEntry(
                    bootIdentifier: boot, instant: 500, softwareVersion: version,
                    sampleLength: 8_000, encounterTimeout: 30_000, lossWindow: 30_000, role: .beacon)),
            .anchor(
                AnchorEntry(
                    instant: 0, wallClock: noon + .hours(boot), errorMilliseconds: 25, source: .systemClock)),
        ]
        entries.append(
            .configuration(
                ConfigurationEntry(
                    instant: 600, digest: Bytes(), retentionDays: 28, scans: true,
                    advertises: true, scanIntervalSlots: 96, scanWindowSlots: 80,
                    advertisingIntervalSlots: 400, peerCapacity: 4096,
                    position: GeographicPosition(
                        latitudeMicrodegrees: 51_507_351, longitudeMicrodegrees: -127_758))))
        entries += [refused(.sonar, .notOfNow, at: 8_000), refused(.sonar, .notOfNow, at: 9_000)]
        entries += [refused(.covidTracer, .wrongLength, at: 8_500)]
        entries += [ownIdentity([0x10, 1], at: 700), ownIdentity([], at: 360_000)]
        for number in 1...UInt32(trackCount) { entries += track(number) }
        entries += [
            .message(MessageEntry(encounter: 1, instant: 5_000, data: buffer(Array("hello".utf8)))),
            .message(MessageEntry(encounter: nil, instant: 5_500, data: buffer([0, 0xff]))),
            .sharedPayloads(
                SharedPayloadsEntry(
                    encounter: 2, instant: 6_000, rssiDBm: -60, payloads: buffer([0x10, 8, 0x10, 9])
                )),
            .sharedPayloads(
                SharedPayloadsEntry(
                    encounter: 2, instant: 7_000, rssiDBm: SharedPayloadsEntry.unknownRSSIDBm,
                    payloads: buffer([1, 2, 3]))),
        ]
        entries += [
            .marker(MarkerEntry(instant: 7_500, origin: .button)),
            .battery(
                BatteryEntry(
                    instant: 7_600,
                    reading: BatteryReading(
                        percent: 87, millivolts: 3_912, state: .discharging, isLow: false))),
        ]
        entries += [
            .radio(
                RadioEntry(
                    instant: 610_000, event: .rungTaken, fault: .commandTimeout, rung: .reset,
                    detail: 0x200c)),
            // Values that only a later version defines.
            .radio(
                RadioEntry(
                    instant: 611_000, event: RadioEvent(rawValue: 77),
                    fault: RadioFaultKind(rawValue: 88), rung: RecoveryRung(rawValue: 99), detail: .max)),
        ]
        entries.append(
            .coverage(
                CoverageEntry(
                    start: 500, end: 600_000, reports: 1_000, malformed: 1, dropped: 2, evicted: 3)))
        return entries
    }

    private static func end(of segment: FetchedSegment) throws -> LogHead {
        let contents = SegmentContents(
            segment.bytes, ordinal: segment.ordinal, unitByteCount: blockByteCount,
            blockByteCount: blockByteCount)
        guard let head = contents.pages.compactMap(\.head).last else { throw CancellationError() }
        return head
    }

    private static func refused(_ scheme: SchemeID, _ reason: IdentityRefusal, at time: Instant) -> LogEntry {
        .identityRefused(
            IdentityRefusedEntry(
                encounter: 1, instant: time, scheme: SchemeCode(scheme), reason: reason,
                bytes: buffer([7, 7])))
    }

    private static func ownIdentity(_ payload: [UInt8], at time: Instant) -> LogEntry {
        var address = Bytes<6>()
        address[5] = 0x40
        return .ownIdentity(
            OwnIdentityEntry(
                instant: time, address: address, addressType: 1, scheme: SchemeCode(.herald),
                identity: buffer(payload)))
    }

    private static func buffer(_ bytes: [UInt8]) -> FixedBuffer<512> {
        guard let buffer = FixedBuffer<512>(bytes.span) else { preconditionFailure("a few bytes fit") }
        return buffer
    }

    private static func details(
        of number: UInt32, _ detail: PeerDetail, _ bytes: [UInt8], at time: Instant
    ) -> LogEntry {
        guard let value = FixedBuffer<64>(bytes.span) else { preconditionFailure("a few bytes fit") }
        return .peerDetails(
            PeerDetailsEntry(encounter: number, instant: time, detail: detail, value: value))
    }

    /// Thirty RSSI readings, two of them in the same millisecond.
    private static func readings(of number: UInt32, from start: Instant) -> LogEntry {
        var readings = PackedReadings()
        for index in 0..<30 as Range<UInt64> {
            let isTaken = readings.append(
                rssiDBm: -60 - Int8(index), at: start + .milliseconds(index == 1 ? 0 : index * 400))
            precondition(isTaken)
        }
        return .readings(ReadingsEntry(encounter: number, readings: readings))
    }

    private static func track(_ number: UInt32) -> [LogEntry] {
        let start = Instant(milliseconds: UInt64(number) * 1_000)
        var identity = FixedBuffer<512>()
        for byte in [0x10, 0x3a, 0x03, 0, 0, UInt8(truncatingIfNeeded: number)]
            + [UInt8](repeating: 7, count: 15)
        {
            do { try identity.append(byte) } catch { preconditionFailure("21 bytes fit") }
        }
        var address = Bytes<6>()
        address[0] = UInt8(truncatingIfNeeded: number)
        return [
            .encounterOpened(
                EncounterOpenedEntry(
                    encounter: number, instant: start, address: address, addressType: 1,
                    foundBy: .heraldService)),
            .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: number, instant: start + 300, scheme: SchemeCode(.herald), identity: identity
                )),
            .sample(
                SampleEntry(
                    encounter: number, start: start, end: start + 7_000, readings: 20,
                    minimumRSSIDBm: -80, maximumRSSIDBm: -60, meanRSSITenthsDBm: -705, txPowerDBm: 8)),
            .sample(
                SampleEntry(
                    encounter: number, start: start + 8_000, end: start + 12_000, readings: 10,
                    minimumRSSIDBm: -90, maximumRSSIDBm: -70, meanRSSITenthsDBm: -800)),
            details(of: number, .pseudoAddress, [1, 2, 3, 4, 5, 6], at: start),
            details(of: number, .otherAddress, [9, 8, 7, 6, 5, 0xc4, 1], at: start + 9_000),
            readings(of: number, from: start),
            .encounterClosed(EncounterClosedEntry(encounter: number, instant: start + 12_000, readings: 30)),
        ]
    }
}

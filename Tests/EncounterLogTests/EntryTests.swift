import FixedMemory
import FlashSimulator
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct EntryTests {
    @Test(arguments: LogEntry.samples) func `an entry survives being written and read`(entry: LogEntry) throws
    {
        let medium = SimulatedMedium(.blocks(of: 1024, perSegment: 4, segments: 2))
        var log = try mount(medium)
        try log.append(entry, nowMilliseconds: 0)
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.entries == [entry])
    }

    @Test func `random entries survive being written and read`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let medium = SimulatedMedium(.blocks(of: 4096, perSegment: 16, segments: 64))
        var log = try mount(medium)
        let entries = (0..<5000).map { _ in LogEntry.random(using: &generator) }
        for entry in entries { try log.append(entry, nowMilliseconds: 0) }
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.entries == entries, "seed \(seed)")
    }

    @Test func `an identity of 512 bytes does not fit a page of 512`() throws {
        let medium = SimulatedMedium(.blocks(of: 512, perSegment: 4, segments: 2))
        var log = try mount(medium)
        let entry = LogEntry.identified(byteCount: 512)
        #expect(throws: LogError.entryTooLong) { try log.append(entry, nowMilliseconds: 0) }
        #expect(log.openEntryCount == 0)
        // 398 bytes of entries, less 3 of kind and length and 5 of the entry's other fields.
        try log.append(.identified(byteCount: 390), nowMilliseconds: 0)
        #expect(throws: LogError.entryTooLong) {
            try log.append(.identified(byteCount: 391), nowMilliseconds: 0)
        }
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.entries == [.identified(byteCount: 390)])
    }

    @Test func `entries of later kinds are skipped and counted`() throws {
        let known = numberedEntry(1)
        let page = try madePage(
            [0x7e, 3, 1, 2, 3] + encoded(known) + [0x00, 0] + [0xff, 0x80, 0x01]
                + Array(repeating: 9, count: 128))
        let logPage = try LogPage(page.span, at: madePosition)
        var entries = logPage.entries
        let first = try entries.next()
        let second = try entries.next()
        #expect(first == known)
        #expect(second == nil)
        #expect(entries.unknownEntryCount == 3)
    }

    @Test(arguments: LogEntry.samples) func `fields that a later version appends are ignored`(
        entry: LogEntry
    ) throws {
        let bytes = encoded(entry)
        guard bytes[1] < 0x70 else { return }
        let longer = [bytes[0], bytes[1] + 2] + bytes[2...] + [0xab, 0xcd]
        let page = try madePage(longer + encoded(numberedEntry(2)))
        let logPage = try LogPage(page.span, at: madePosition)
        var entries = logPage.entries
        let first = try entries.next()
        let second = try entries.next()
        #expect(first == entry)
        #expect(second == numberedEntry(2))
    }

    @Test(arguments: LogEntry.samples)
    func `a body that ends too early is an error, and the next entry is read`(
        entry: LogEntry
    ) throws {
        let bytes = encoded(entry)
        guard bytes[1] < 0x80 else { return }
        // Fields of later versions may be missing: an identity's marks, a configuration's position.
        let optionalByteCount =
            switch entry {
            case .encounterIdentified: 1
            case .configuration: 8
            default: 0
            }
        for length in 0..<Int(bytes[1]) where length != Int(bytes[1]) - optionalByteCount {
            let page = try madePage(
                [bytes[0], UInt8(length)] + bytes[2..<2 + length] + encoded(numberedEntry(2)))
            let logPage = try LogPage(page.span, at: madePosition)
            var entries = logPage.entries
            #expect(throws: LogError.malformedEntry(offset: 0)) { _ = try entries.next() }
            let second = try entries.next()
            #expect(second == numberedEntry(2))
        }
    }

    @Test(
        arguments: [
            [1], [5, 200], [5, 0x80, 0x80, 0x01], [5, 20, 1, 2, 3], [0x7e, 1],
        ] as [[UInt8]]) func `a length beyond the end is an error and ends the entries`(bytes: [UInt8]) throws
    {
        let page = try madePage(encoded(numberedEntry(1)) + bytes)
        let logPage = try LogPage(page.span, at: madePosition)
        var entries = logPage.entries
        let offset = encoded(numberedEntry(1)).count
        _ = try entries.next()
        #expect(throws: LogError.malformedEntry(offset: offset)) { _ = try entries.next() }
        let last = try entries.next()
        #expect(last == nil)
    }

    @Test func `a number too large for its field is an error`() throws {
        // An encounter number of 2^32, then one of more than 64 bits.
        for number in [[0x80, 0x80, 0x80, 0x80, 0x10], Array(repeating: 0xff, count: 10)] as [[UInt8]] {
            let body = number + [0, 0]
            let page = try madePage([6, UInt8(body.count)] + body)
            let logPage = try LogPage(page.span, at: madePosition)
            var entries = logPage.entries
            #expect(throws: LogError.malformedEntry(offset: 0)) { _ = try entries.next() }
        }
    }

    /// The bytes are those of docs/log-format.md.
    @Test func `configuration, erased range and acknowledgement are encoded as documented`() {
        var (digest, fingerprint) = (Bytes<16>(), Bytes<16>())
        for index in 0..<16 {
            digest[index] = UInt8(index)
            fingerprint[index] = UInt8(0xa0 + index)
        }
        var configuration = ConfigurationEntry(
            monotonicMilliseconds: 1000, digest: digest, retentionDays: 28, scans: true, advertises: true,
            scanIntervalSlots: 96, scanWindowSlots: 80, advertisingIntervalSlots: 400, peerCapacity: 4096)
        var gap = GapEntry(cause: .room, isAcknowledged: false, segmentOrdinal: 7, byteCount: 262_144)
        gap.monotonicMilliseconds = 1000
        gap.knowledge = 1
        gap.entryCount = 300
        gap.first = SegmentSummary.Moment(bootIdentifier: 0x1122_3344_5566_7788, milliseconds: 5)
        gap.last = SegmentSummary.Moment(bootIdentifier: 0x1122_3344_5566_7788, milliseconds: 9)
        let acknowledgement = AcknowledgementEntry(
            monotonicMilliseconds: 1000, position: LogPosition(segmentOrdinal: 7, byteOffset: 4660),
            operatorFingerprint: fingerprint)
        #expect(
            encoded(.configuration(configuration))
                == [UInt8](
                    hex:
                        "0e 22 e8 07 000102030405060708090a0b0c0d0e0f 03 1c 60 50 90 03 80 20 ffffff7f ffffff7f"
                ))
        configuration.position = GeographicPosition(
            latitudeMicrodegrees: 51_507_351, longitudeMicrodegrees: -127_758)
        #expect(
            encoded(.configuration(configuration))
                == [UInt8](
                    hex:
                        "0e 22 e8 07 000102030405060708090a0b0c0d0e0f 03 1c 60 50 90 03 80 20 97f01103 f20cfeff"
                ))
        #expect(
            encoded(.gap(gap))
                == [UInt8](
                    hex: """
                        0f 1e e8 07 01 00 07 01 80 80 10 01 ac 02 8877665544332211 05
                        8877665544332211 09
                        """))
        #expect(
            encoded(.acknowledgement(acknowledgement))
                == [UInt8](hex: "10 15 e8 07 07 b4 24 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"))
    }

    /// The bytes are those of docs/log-format.md.
    @Test func `identity marks and refused identities are encoded as documented`() {
        var written = FixedBuffer<512>()
        for index in 0..<8 { try? written.append(UInt8(0xa0 + index)) }
        let identified = EncounterIdentifiedEntry(
            encounter: 1, monotonicMilliseconds: 1000, scheme: SchemeCode(.bleProximity), identity: written,
            marks: .written)
        let refused = IdentityRefusedEntry(
            encounter: 1, monotonicMilliseconds: 1000, scheme: SchemeCode(.covidTracer), reason: .wrongLength,
            bytes: written)
        #expect(
            encoded(.encounterIdentified(identified))
                == [UInt8](hex: "04 0e 01 e8 07 04 08 a0a1a2a3a4a5a6a7 01"))
        #expect(
            encoded(.identityRefused(refused)) == [UInt8](hex: "11 0f 01 e8 07 03 01 00 08 a0a1a2a3a4a5a6a7"))
    }

    /// The bytes are those of docs/log-format.md.
    @Test func `a key that the board made is encoded as documented`() {
        var key = FixedBuffer<32>()
        for index in 0..<16 { try? key.append(UInt8(0xa0 + index)) }
        let entry = OwnKeyEntry(
            monotonicMilliseconds: 1000, scheme: SchemeCode(.exposureNotification), firstPeriod: 2_642_976,
            periodCount: 144, key: key)
        #expect(
            encoded(.ownKey(entry))
                == [UInt8](hex: "13 1a e8 07 05 a0 a8 a1 01 90 01 10 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"))
    }

    @Test func `a key of more than 32 bytes is an error`() throws {
        let body = [0, 5, 0, 0, 33] + [UInt8](repeating: 1, count: 33)
        let page = try madePage([19, UInt8(body.count)] + body)
        let logPage = try LogPage(page.span, at: madePosition)
        var entries = logPage.entries
        #expect(throws: LogError.malformedEntry(offset: 0)) { _ = try entries.next() }
    }

    @Test func `after a day a sample takes 16 bytes and coverage takes 15`() {
        let day: UInt64 = 86_400_000
        let sample = LogEntry.sample(
            SampleEntry(
                encounter: 1000, startMilliseconds: day, endMilliseconds: day + 7900, readings: 30,
                minimumRSSIDBm: -90, maximumRSSIDBm: -50, meanRSSITenthsDBm: -655))
        let coverage = LogEntry.coverage(
            CoverageEntry(
                startMilliseconds: day, endMilliseconds: day + 30_000, reports: 60_000, malformed: 3,
                dropped: 0,
                evicted: 0))
        #expect(encoded(sample).count == 16)
        #expect(encoded(coverage).count == 15)
    }
}

/// An entry's bytes on flash.
func encoded(_ entry: LogEntry) -> [UInt8] { entry.encoded }

/// The position of the pages that tests make.
let madePosition = LogPosition(segmentOrdinal: 6, byteOffset: 512)

/// Makes a page of these bytes as entries, valid or not, neither linked nor sealed, with a matching checksum.
func madePage(_ entryBytes: [UInt8]) throws -> [UInt8] {
    let header = PageHeader(
        isSealed: false, hasHeader: false, hasLink: false, epoch: 3, contentByteCount: entryBytes.count)
    let start = header.encoded()
    return ((0..<4).map { start[$0] } + [0, 0, 0, 0] + entryBytes).withChecksum()
}

extension [UInt8] {
    /// The page that these bytes form, with its checksum filled in.
    func withChecksum(at position: LogPosition = madePosition) -> [UInt8] {
        var page = self
        let checksum = LogPage.checksum(of: page.span, at: position)
        for index in 0..<4 {
            page[PageHeader.checksumOffset + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index))
        }
        return page
    }
}

extension LogEntry {
    static func identified(byteCount: Int, marks: IdentityMarks = .none) -> LogEntry {
        var identity = FixedBuffer<512>()
        for index in 0..<byteCount { try? identity.append(UInt8(truncatingIfNeeded: index)) }
        return .encounterIdentified(
            EncounterIdentifiedEntry(
                encounter: 1, monotonicMilliseconds: 2, scheme: SchemeCode(.herald), identity: identity,
                marks: marks))
    }

    /// Two random entries of each kind, and entries with extreme field values.
    static let samples: [LogEntry] = {
        var generator = SeededGenerator(seed: 42)
        var entries = (0..<36).map { random(kind: $0 % 18, using: &generator) }
        entries.append(identified(byteCount: 0, marks: .written))
        entries.append(identified(byteCount: 512, marks: .timeUnchecked))
        for number in [0, UInt64.max] {
            let small = UInt32(truncatingIfNeeded: number)
            entries += [
                .encounterClosed(
                    EncounterClosedEntry(encounter: small, monotonicMilliseconds: number, readings: small)),
                .anchor(
                    AnchorEntry(
                        monotonicMilliseconds: number, wallClockMilliseconds: number,
                        errorMilliseconds: small,
                        source: AnchorSource(rawValue: UInt8(truncatingIfNeeded: number)))),
                // The log stores an end before the start as it is: it does not judge.
                .sample(
                    SampleEntry(
                        encounter: small, startMilliseconds: number, endMilliseconds: ~number,
                        readings: UInt16(truncatingIfNeeded: number), minimumRSSIDBm: .min,
                        maximumRSSIDBm: .max,
                        meanRSSITenthsDBm: .min, txPowerDBm: .min)),
            ]
        }
        return entries
    }()

    static func random(using generator: inout SeededGenerator) -> LogEntry {
        random(kind: Int.random(in: 0..<18, using: &generator), using: &generator)
    }

    private static func random(kind: Int, using generator: inout SeededGenerator) -> LogEntry {
        // Numbers of every length in bits.
        func number<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value {
            let bits = generator.next()
            return Value(truncatingIfNeeded: bits >> UInt64.random(in: 0...63, using: &generator))
        }
        func data() -> FixedBuffer<512> {
            FixedBuffer(generator.bytes(Int.random(in: 0...512, using: &generator)).span) ?? FixedBuffer()
        }
        switch kind {
        case 0:
            var version = Bytes<3>()
            for index in 0..<3 { version[index] = number() }
            return .boot(
                BootEntry(
                    bootIdentifier: number(), monotonicMilliseconds: number(), softwareVersion: version,
                    sampleMilliseconds: number(), gapMilliseconds: number(), lossWindowMilliseconds: number(),
                    role: LogRole(rawValue: number())))
        case 1:
            return .anchor(
                AnchorEntry(
                    monotonicMilliseconds: number(), wallClockMilliseconds: number(),
                    errorMilliseconds: number(),
                    source: AnchorSource(rawValue: number())))
        case 2:
            var address = Bytes<6>()
            for index in 0..<6 { address[index] = number() }
            return .encounterOpened(
                EncounterOpenedEntry(
                    encounter: number(), monotonicMilliseconds: number(), address: address,
                    addressType: number(),
                    foundBy: PeerHint(rawValue: number())))
        case 3:
            var identity = FixedBuffer<512>()
            let byteCount = Int.random(in: 0...512, using: &generator)
            for byte in generator.bytes(byteCount) { try? identity.append(byte) }
            return .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: number(), monotonicMilliseconds: number(),
                    scheme: SchemeCode(rawValue: number()),
                    identity: identity,
                    marks: IdentityMarks(rawValue: .random(in: 1...255, using: &generator))))
        case 4:
            return .sample(
                SampleEntry(
                    encounter: number(), startMilliseconds: number(), endMilliseconds: number(),
                    readings: number(), minimumRSSIDBm: number(), maximumRSSIDBm: number(),
                    meanRSSITenthsDBm: number(), txPowerDBm: number()))
        case 5:
            return .encounterClosed(
                EncounterClosedEntry(encounter: number(), monotonicMilliseconds: number(), readings: number())
            )
        case 6:
            return .coverage(
                CoverageEntry(
                    startMilliseconds: number(), endMilliseconds: number(), reports: number(),
                    malformed: number(),
                    dropped: number(), evicted: number()))
        case 7:
            var (address, identity) = (Bytes<6>(), FixedBuffer<512>())
            for index in 0..<6 { address[index] = number() }
            let byteCount = Int.random(in: 0...512, using: &generator)
            for byte in generator.bytes(byteCount) { try? identity.append(byte) }
            return .ownIdentity(
                OwnIdentityEntry(
                    monotonicMilliseconds: number(), address: address, addressType: number(),
                    scheme: SchemeCode(rawValue: number()), identity: identity))
        case 8:
            var readings = PackedReadings()
            var time: UInt64 = number() >> 1
            for _ in 0..<Int.random(in: 0...100, using: &generator) {
                guard readings.append(rssiDBm: number(), atMilliseconds: time) else { break }
                time += UInt64.random(in: 0...5_000, using: &generator)
            }
            return .readings(ReadingsEntry(encounter: number(), readings: readings))
        case 9:
            var value = FixedBuffer<64>()
            for byte in generator.bytes(Int.random(in: 0...64, using: &generator)) { try? value.append(byte) }
            return .peerDetails(
                PeerDetailsEntry(
                    encounter: number(), monotonicMilliseconds: number(),
                    detail: PeerDetail(rawValue: number()), value: value))
        case 10:
            return .message(
                MessageEntry(
                    encounter: number(), monotonicMilliseconds: number(),
                    data: data()))
        case 11:
            return .sharedPayloads(
                SharedPayloadsEntry(
                    encounter: number(), monotonicMilliseconds: number(), rssiDBm: number(),
                    payloads: data()))
        case 12:
            var gap = GapEntry(
                cause: GapCause(rawValue: number()), isAcknowledged: generator.next() % 2 == 0,
                segmentOrdinal: number(), byteCount: number())
            gap.monotonicMilliseconds = number()
            gap.segmentCount = number()
            gap.knowledge = number()
            gap.entryCount = number()
            gap.first = SegmentSummary.Moment(bootIdentifier: number(), milliseconds: number())
            gap.last = SegmentSummary.Moment(bootIdentifier: number(), milliseconds: number())
            return .gap(gap)
        case 13:
            var fingerprint = Bytes<16>()
            for index in 0..<16 { fingerprint[index] = number() }
            return .acknowledgement(
                AcknowledgementEntry(
                    monotonicMilliseconds: number(),
                    position: LogPosition(segmentOrdinal: number(), byteOffset: number()),
                    operatorFingerprint: fingerprint))
        case 14:
            var digest = Bytes<16>()
            for index in 0..<16 { digest[index] = number() }
            return .configuration(
                ConfigurationEntry(
                    monotonicMilliseconds: number(), digest: digest, retentionDays: number(),
                    scans: generator.next() % 2 == 0, advertises: generator.next() % 2 == 0,
                    scanIntervalSlots: number(), scanWindowSlots: number(),
                    advertisingIntervalSlots: number(), peerCapacity: number(),
                    position: GeographicPosition(
                        latitudeMicrodegrees: number(), longitudeMicrodegrees: number())))
        case 15:
            return .identityRefused(
                IdentityRefusedEntry(
                    encounter: number(), monotonicMilliseconds: number(),
                    scheme: SchemeCode(rawValue: number()), reason: IdentityRefusal(rawValue: number()),
                    marks: IdentityMarks(rawValue: number()), bytes: data()))
        case 16:
            return .ownKey(
                OwnKeyEntry(
                    monotonicMilliseconds: number(), scheme: SchemeCode(rawValue: number()),
                    firstPeriod: number(), periodCount: number(),
                    key: FixedBuffer(generator.bytes(Int.random(in: 0...32, using: &generator)).span)
                        ?? FixedBuffer()))
        default:
            return .radio(
                RadioEntry(
                    monotonicMilliseconds: number(), event: RadioEvent(rawValue: number()),
                    fault: RadioFaultKind(rawValue: number()), rung: RecoveryRung(rawValue: number()),
                    detail: number()))
        }
    }
}

import FixedMemory
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct EntryEncodingTests {
    /// The bytes are those of docs/log-format.md.
    @Test func `configuration, erased range and acknowledgement are encoded as documented`() {
        var (digest, fingerprint) = (Bytes<16>(), Bytes<16>())
        for index in 0..<16 {
            digest[index] = UInt8(index)
            fingerprint[index] = UInt8(0xa0 + index)
        }
        var configuration = ConfigurationEntry(
            instant: 1000, digest: digest, retentionDays: 28, scans: true, advertises: true,
            scanIntervalSlots: 96, scanWindowSlots: 80, advertisingIntervalSlots: 400, peerCapacity: 4096)
        var gap = GapEntry(cause: .room, isAcknowledged: false, segmentOrdinal: 7, byteCount: 262_144)
        gap.instant = 1000
        gap.knowledge = 1
        gap.entryCount = 300
        gap.first = SegmentSummary.Moment(bootIdentifier: 0x1122_3344_5566_7788, instant: 5)
        gap.last = SegmentSummary.Moment(bootIdentifier: 0x1122_3344_5566_7788, instant: 9)
        let acknowledgement = AcknowledgementEntry(
            instant: 1000, position: LogPosition(segmentOrdinal: 7, byteOffset: 4660),
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
            encounter: 1, instant: 1000, scheme: SchemeCode(.bleProximity), identity: written,
            marks: .written)
        let refused = IdentityRefusedEntry(
            encounter: 1, instant: 1000, scheme: SchemeCode(.covidTracer), reason: .wrongLength,
            bytes: written)
        #expect(
            encoded(.encounterIdentified(identified))
                == [UInt8](hex: "04 0e 01 e8 07 04 08 a0a1a2a3a4a5a6a7 01"))
        #expect(
            encoded(.identityRefused(refused)) == [UInt8](hex: "11 0f 01 e8 07 03 01 00 08 a0a1a2a3a4a5a6a7"))
    }

    /// The bytes are those of docs/log-format.md.
    @Test func `markers and the battery are encoded as documented`() {
        let known = BatteryReading(percent: 87, millivolts: 3912, state: .discharging, isLow: false)
        let unknown = BatteryReading(percent: nil, isLow: true)
        #expect(
            encoded(.marker(MarkerEntry(instant: 1000, origin: .button))) == [UInt8](hex: "14 03 e8 07 01"))
        #expect(
            encoded(.battery(BatteryEntry(instant: 1000, reading: known)))
                == [UInt8](hex: "15 07 e8 07 57 01 00 480f"))
        #expect(
            encoded(.battery(BatteryEntry(instant: 1000, reading: unknown)))
                == [UInt8](hex: "15 07 e8 07 ff 00 01 0000"))
    }

    /// The bytes are those of docs/log-format.md.
    @Test func `a key that the board made is encoded as documented`() {
        var key = FixedBuffer<32>()
        for index in 0..<16 { try? key.append(UInt8(0xa0 + index)) }
        let entry = OwnKeyEntry(
            instant: 1000, scheme: SchemeCode(.exposureNotification), firstPeriod: 2_642_976,
            periodCount: 144, key: key)
        #expect(
            encoded(.ownKey(entry))
                == [UInt8](hex: "13 1a e8 07 05 a0 a8 a1 01 90 01 10 a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"))
    }

    @Test func `after a day a sample takes 16 bytes and coverage takes 18`() {
        let day: Instant = 86_400_000
        let sample = LogEntry.sample(
            SampleEntry(
                encounter: 1000, start: day, end: day + 7900, readings: 30,
                minimumRSSIDBm: -90, maximumRSSIDBm: -50, meanRSSITenthsDBm: -655))
        let coverage = LogEntry.coverage(
            CoverageEntry(
                start: day, end: day + 30_000, reports: 60_000, malformed: 3, dropped: 0, evicted: 0,
                timing: ScanTiming(intervalSlots: 96, windowSlots: 80)))
        #expect(encoded(sample).count == 16)
        #expect(encoded(coverage).count == 18)
    }

    @Test(arguments: [0, 5] as [UInt32])
    func `coverage of a version without scan timing is read and written as it was`(_ unlogged: UInt32) throws
    {
        let old = CoverageEntry(
            start: 1_000, end: 2_000, reports: 5, malformed: 0, dropped: 0, evicted: 0, unlogged: unlogged)
        let bytes = encoded(.coverage(old))
        #expect(bytes.count == 2 + 8 + (unlogged > 0 ? 1 : 0))
        #expect(try LogEntry(kind: .coverage, body: bytes.span.extracting(2...)) == .coverage(old))
    }
}

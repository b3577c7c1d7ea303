import EncounterLog
import FixedMemory
import FlashSimulator
import Foundation
import TestSupport
import Testing

/// The example in docs/log-format.md equals what the code writes.
@Suite struct FormatDocumentTests {
    @Test func `the code writes the example page`() throws {
        let medium = SimulatedMedium(.small(segments: 4))
        var log = try mount(medium, boot: 0x1122_3344_5566_7788)
        for entry in Self.entries { try log.append(entry, now: 0) }
        try log.commit()
        let written = Array(medium.bytes[medium.range(ofBlock: 1)])
        let documented = try Self.exampleBytes()
        let padding = Array(repeating: UInt8(0xff), count: max(0, 256 - documented.count))
        #expect((documented + padding).hex == written.hex)
    }

    @Test func `the code reads the example page as documented`() throws {
        let documented = try Self.exampleBytes()
        let page = try LogPage(documented.span, at: LogPosition(segmentOrdinal: 0, byteOffset: 256))
        #expect(page.segmentHeader?.bootIdentifier == 0x1122_3344_5566_7788)
        #expect(page.link?.entryCount == 7)
        var iterator = page.entries
        var entries: [LogEntry] = []
        while let entry = try iterator.next() { entries.append(entry) }
        #expect(entries == Self.entries)
    }

    /// The bytes of the document's first block of hexadecimal digits; a # begins a comment.
    private static func exampleBytes() throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/log-format.md"), encoding: .utf8)
        let blocks = text.components(separatedBy: "```")
        let block = try #require(blocks.first { $0.hasPrefix("hex\n") }).dropFirst(4)
        let digits = block.split(separator: "\n").map { $0.prefix { $0 != "#" } }.joined()
        return [UInt8](hex: digits)
    }

    static let entries: [LogEntry] = {
        var version = Bytes<3>()
        version[1] = 1
        var address = Bytes<6>()
        for (index, byte) in [0x66, 0x55, 0x44, 0x33, 0x22, 0xc1].enumerated() {
            address[index] = UInt8(byte)
        }
        var identity = FixedBuffer<512>()
        for byte in [0x10, 0x03, 0x3a, 0x00, 0x00, 0x04, 0x01, 0x00, 0x00, 0x00] as [UInt8] {
            try? identity.append(byte)
        }
        return [
            .boot(
                BootEntry(
                    bootIdentifier: 0x1122_3344_5566_7788, instant: 1000, softwareVersion: version,
                    sampleLength: 8000, encounterTimeout: 30_000, lossWindow: 30_000, role: .beacon)),
            .anchor(
                AnchorEntry(
                    instant: 1000, wallClock: 1_700_000_000_000, errorMilliseconds: 500,
                    source: .systemClock)),
            .encounterOpened(
                EncounterOpenedEntry(
                    encounter: 1, instant: 2000, address: address, addressType: 1, foundBy: .heraldService)),
            .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: 1, instant: 2600, scheme: SchemeCode(.herald), identity: identity
                )),
            .sample(
                SampleEntry(
                    encounter: 1, start: 2000, end: 9900, readings: 31,
                    minimumRSSIDBm: -71, maximumRSSIDBm: -60, meanRSSITenthsDBm: -655)),
            .encounterClosed(EncounterClosedEntry(encounter: 1, instant: 9900, readings: 31)),
            .coverage(
                CoverageEntry(start: 1100, end: 31_100, reports: 512, malformed: 2, dropped: 0, evicted: 0)),
        ]
    }()
}

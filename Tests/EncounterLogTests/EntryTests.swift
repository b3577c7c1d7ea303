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
        try log.append(entry, now: 0)
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
        for entry in entries { try log.append(entry, now: 0) }
        try log.commit()
        let read = try ReadLog(&log)
        #expect(read.entries == entries, "seed \(seed)")
    }

    @Test func `an identity of 512 bytes does not fit a page of 512`() throws {
        let medium = SimulatedMedium(.blocks(of: 512, perSegment: 4, segments: 2))
        var log = try mount(medium)
        let entry = LogEntry.identified(byteCount: 512)
        #expect(throws: LogError.entryTooLong) { try log.append(entry, now: 0) }
        #expect(log.openEntryCount == 0)
        // 398 bytes of entries, less 3 of kind and length and 5 of the entry's other fields.
        try log.append(.identified(byteCount: 390), now: 0)
        #expect(throws: LogError.entryTooLong) {
            try log.append(.identified(byteCount: 391), now: 0)
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
        // Fields of later versions may be missing: an identity's marks, a configuration's position, a
        // coverage entry's scan timing, and in yet earlier versions its number of unlogged encounters.
        let optionalByteCounts: [Int] =
            switch entry {
            case .encounterIdentified: [1]
            case .coverage: [2, 3]
            case .configuration: [8]
            default: []
            }
        for length in 0..<Int(bytes[1]) where !optionalByteCounts.contains(Int(bytes[1]) - length) {
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

    @Test func `a key of more than 32 bytes is an error`() throws {
        let body = [0, 5, 0, 0, 33] + [UInt8](repeating: 1, count: 33)
        let page = try madePage([19, UInt8(body.count)] + body)
        let logPage = try LogPage(page.span, at: madePosition)
        var entries = logPage.entries
        #expect(throws: LogError.malformedEntry(offset: 0)) { _ = try entries.next() }
    }
}

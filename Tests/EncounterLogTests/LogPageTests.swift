import FixedMemory
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct LogPageTests {
    let page: [UInt8]

    init() throws { page = try madePage(encoded(numberedEntry(1)) + encoded(numberedEntry(2))) }

    @Test func `a whole page gives its header and its entries`() throws {
        let logPage = try LogPage(page.span, at: madePosition)
        #expect(logPage.header.epoch == 3)
        #expect(!logPage.header.isSealed)
        #expect(logPage.segmentHeader == nil)
        #expect(logPage.link == nil)
        #expect(logPage.endPosition == LogPosition(segmentOrdinal: 6, byteOffset: 512 + UInt32(page.count)))
        let numbers = numbers(page)
        #expect(numbers == [1, 2])
    }

    /// An archive keeps such a page in place of one whose entries it must forget.
    @Test func `a page without its entries keeps its length and position`() throws {
        let original = try LogPage(page.span, at: madePosition)
        let bytes = original.withoutEntries()
        let redacted = try LogPage(bytes.span, at: madePosition)
        #expect(bytes.count == page.count)
        #expect(redacted.header == original.header)
        #expect(redacted.endPosition == original.endPosition)
        #expect(bytes.dropFirst(PageHeader.byteCount).allSatisfy { $0 == 0 })
    }

    @Test func `a page at another position is damaged`() {
        for place in [
            LogPosition(segmentOrdinal: 6, byteOffset: 256), LogPosition(segmentOrdinal: 2, byteOffset: 512),
        ] {
            #expect(throws: LogError.damagedPage) { _ = try LogPage(page.span, at: place) }
        }
    }

    @Test func `each kind of damage has its own error`() {
        func error(_ change: (inout [UInt8]) -> Void) -> LogError? {
            var bytes = page
            change(&bytes)
            do throws(LogError) {
                _ = try LogPage(bytes.span, at: madePosition)
                return nil
            } catch {
                return error
            }
        }
        func checked(_ change: (inout [UInt8]) -> Void) -> LogError? {
            error { bytes in
                change(&bytes)
                bytes = bytes.withChecksum()
            }
        }
        #expect(error { _ in } == nil)
        #expect(error { $0 = [] } == .truncatedPage)
        #expect(error { $0.removeLast() } == .truncatedPage)
        #expect(error { $0 = Array(repeating: 0xff, count: 256) } == .blankPage)
        #expect(error { $0 = Array(repeating: 0, count: 256) } == .notALogPage)
        #expect(error { $0[0] ^= 0x10 } == .notALogPage)
        #expect(error { $0[0] ^= 1 } == .damagedPage)
        #expect(error { $0[7] ^= 0x80 } == .damagedPage)
        #expect(error { $0[8] ^= 1 } == .damagedPage)
        #expect(checked { $0[0] = 0xb9 } == .unsupportedVersion(9))
        #expect(
            error { $0.replaceSubrange(0..<5, with: [0xd4, 0x54, 0x42, 0x4c, 1]) } == .unsupportedVersion(1))
        #expect(checked { $0[1] = 0x08 } == .unsupportedFlags(0x08))
        // Too short for the segment header, the link, or the tag that its flags announce.
        #expect(checked { $0[1] = 2 } == .malformedPage)
        #expect(
            checked {
                $0[1] = 2; $0[2] = UInt8($0.count - 8)
            } == .malformedPage)
        #expect(
            checked {
                $0 = Array($0.prefix(20)); $0[1] = 4; $0[2] = 12
            } == .malformedPage)
        #expect(
            checked {
                $0 = Array($0.prefix(20)); $0[1] = 1; $0[2] = 12
            } == .malformedPage)
    }

    @Test func `every flipped bit is detected`() {
        for bit in 0..<page.count * 8 {
            var bytes = page
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: LogError.self, "bit \(bit)") { _ = try LogPage(bytes.span, at: madePosition) }
        }
    }

    @Test func `bytes behind the page do not matter`() {
        let numbers = numbers(page + [1, 2, 3])
        #expect(numbers == [1, 2])
    }

    /// Any bytes give entries or errors; nothing traps, and every iteration ends.
    @Test func `a reader is total`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        // Each run draws another seed, and `make fuzz` searches the same reader (`log-page`).
        for round in 0..<6_000 {
            // Random entries with matching checksums, so that parsing reaches the entries; then perhaps
            // damage.
            let byteCount = Int.random(in: 0...200, using: &generator)
            var entryBytes = generator.bytes(byteCount)
            if round % 2 == 0 {
                entryBytes = Array(
                    (0..<8).flatMap { _ in encoded(.random(using: &generator)) }.prefix(byteCount))
                for _ in 0..<Int.random(in: 0...4, using: &generator) where !entryBytes.isEmpty {
                    entryBytes[Int.random(in: 0..<entryBytes.count, using: &generator)] =
                        generator.bytes(1)[0]
                }
            }
            var bytes = try madePage(entryBytes)
            if round % 8 == 0, bytes.count > 8 {
                bytes[Int.random(in: 0..<8, using: &generator)] = generator.bytes(1)[0]
                if round % 3 == 0 { bytes = bytes.withChecksum() }
            }
            if round % 16 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator)) }
            let steps = walk(bytes)
            #expect(steps <= 202, "seed \(seed), round \(round)")
        }
    }

    /// The number of calls until the entries end.
    private func walk(_ bytes: [UInt8]) -> Int {
        guard let page = try? LogPage(bytes.span, at: madePosition) else { return 0 }
        var entries = page.entries
        var steps = 0
        while steps <= 300 {
            steps += 1
            do throws(LogError) {
                guard try entries.next() != nil else { return steps }
            } catch {
                continue
            }
        }
        return steps
    }

    private func numbers(_ bytes: [UInt8]) -> [Int] {
        guard let page = try? LogPage(bytes.span, at: madePosition) else { return [] }
        var entries = page.entries
        var numbers: [Int] = []
        while let entry = try? entries.next(), case .sample(let sample) = entry {
            numbers.append(Int(sample.encounter))
        }
        return numbers
    }
}

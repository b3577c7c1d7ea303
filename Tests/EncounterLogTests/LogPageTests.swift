import FixedMemory
import TestSupport
import Testing

@testable import EncounterLog

@Suite struct LogPageTests {
    let page: [UInt8]

    init() throws { page = try madePage(encoded(numberedEntry(1)) + encoded(numberedEntry(2))) }

    @Test func `a whole page gives its header and its entries`() throws {
        let logPage = try LogPage(page.span)
        let header = logPage.header
        #expect(header.geometry == .small(segments: 4))
        #expect(header.segmentOrdinal == 6)
        #expect(header.pageIndex == 1)
        #expect(header.sequenceNumber == 25)
        #expect(header.bootIdentifier == 7)
        #expect(header.logIdentity == testIdentity)
        let numbers = numbers(page)
        #expect(numbers == [1, 2])
    }

    @Test func `each damage has its own error`() {
        func error(_ change: (inout [UInt8]) -> Void) -> LogError? {
            var bytes = page
            change(&bytes)
            do throws(LogError) {
                _ = try LogPage(bytes.span)
                return nil
            } catch {
                return error
            }
        }
        func sealed(_ change: (inout [UInt8]) -> Void) -> LogError? {
            error { bytes in
                change(&bytes)
                let checksum = CRC32C.checksum(of: Array(bytes[..<52]).span)
                for index in 0..<4 { bytes[52 + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index)) }
            }
        }
        #expect(error { _ in } == nil)
        #expect(error { $0 = [] } == .truncatedPage)
        #expect(error { $0.removeLast(201) } == .truncatedPage)
        #expect(error { $0.removeLast() } == .truncatedPage)
        #expect(error { $0 = Array(repeating: 0xff, count: 256) } == .blankPage)
        #expect(error { $0 = Array(repeating: 0, count: 256) } == .notALogPage)
        #expect(error { $0[0] ^= 1 } == .notALogPage)
        #expect(error { $0[4] ^= 1 } == .damagedHeader)
        #expect(error { $0[55] ^= 0x80 } == .damagedHeader)
        #expect(error { $0[56] ^= 1 } == .damagedBody)
        #expect(error { $0[255] ^= 1 } == .damagedBody)
        #expect(sealed { $0[4] = 9 } == .unsupportedVersion(9))
        #expect(sealed { $0[5] = 0x80 } == .unsupportedFlags(0x80))
        #expect(sealed { $0[6] = 7 } == .malformedHeader)
        #expect(sealed { $0[6] = 255 } == .malformedHeader)
        #expect(sealed { $0[8] = 1 } == .malformedHeader)
        #expect(sealed { $0[18] = 4 } == .malformedHeader)
        #expect(sealed { $0[20] = 201 } == .malformedHeader)
        #expect(sealed { $0[6] = 12 } == .truncatedPage)
    }

    @Test func `no flipped bit goes unseen`() {
        for bit in 0..<page.count * 8 {
            var bytes = page
            bytes[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: LogError.self, "bit \(bit)") { _ = try LogPage(bytes.span) }
        }
    }

    @Test func `bytes behind the page do not matter`() {
        let numbers = numbers(page + [1, 2, 3])
        #expect(numbers == [1, 2])
    }

    /// Any bytes at all give entries or errors; nothing traps and nothing goes on for ever.
    @Test func `a reader is total`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for round in 0..<20_000 {
            // Random entries whose checksums match, so that the entries are reached; then perhaps damage.
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
            if round % 8 == 0 { bytes[Int.random(in: 0..<56, using: &generator)] = generator.bytes(1)[0] }
            if round % 16 == 0 { bytes.removeLast(Int.random(in: 0...256, using: &generator)) }
            let steps = walk(bytes)
            #expect(steps <= 202, "seed \(seed), round \(round)")
        }
    }

    /// The number of calls until the entries end.
    private func walk(_ bytes: [UInt8]) -> Int {
        guard let page = try? LogPage(bytes.span) else { return 0 }
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
        guard let page = try? LogPage(bytes.span) else { return [] }
        var entries = page.entries
        var numbers: [Int] = []
        while let entry = try? entries.next(), case .sample(let sample) = entry {
            numbers.append(Int(sample.encounter))
        }
        return numbers
    }
}

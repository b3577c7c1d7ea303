import EncounterLog
import FixedMemory

/// The readable part of a log, read through its sync interface.
struct LogReading {
    struct Page {
        var position: LogPosition
        var byteCount: Int
        /// The boot identifier in the page's segment header.
        var bootIdentifier: UInt64
        /// The numbers of the page's entries; nil for an entry that was never written.
        var numbers: [Int?]
        /// The number of entries that refer to an identity in a lost page.
        var lostIdentityCount = 0
        var chainBefore: Bytes<16>?
        var chainBehind: Bytes<16>
    }

    struct Fault {
        var position: LogPosition
        var error: LogError
    }

    var pages: [Page] = []
    var faults: [Fault] = []

    /// Counts the pages that are linked neither to the page before them nor to that page's predecessor. Such
    /// a page is allowed where data between the two is missing, and after the rest of a segment that was
    /// being erased.
    func chainBreaks(behind erasedThrough: UInt32? = nil) -> Int {
        var breaks = 0
        var next = 0
        for (before, page) in zip(pages, pages.dropFirst()) {
            if let erasedThrough, before.position.segmentOrdinal <= erasedThrough { continue }
            while next < faults.count, faults[next].position < before.position { next += 1 }
            let hasFault = next < faults.count && faults[next].position < page.position
            let isLinked = page.chainBefore == before.chainBehind || page.chainBefore == before.chainBefore
            if !isLinked, !hasFault { breaks += 1 }
        }
        return breaks
    }

    /// A line for each page and each fault, in order.
    var lines: [String] {
        let pages = pages.map { page in
            let numbers = page.numbers.map { $0.map { "\($0)" } ?? "?" }.joined(separator: " ")
            let before = page.chainBefore.map(Self.text) ?? "-"
            return (
                page.position,
                "\(page.byteCount) bytes, boot \(page.bootIdentifier), chain \(before) > "
                    + "\(Self.text(page.chainBehind)): \(numbers)"
            )
        }
        return (pages + faults.map { ($0.position, "\($0.error)") }).sorted { $0.0 < $1.0 }.map {
            "\($0.segmentOrdinal)/\($0.byteOffset): \($1)"
        }
    }

    private static func text(_ value: Bytes<16>) -> String {
        String(UInt32(value[0]) << 8 | UInt32(value[1]), radix: 16)
    }
}

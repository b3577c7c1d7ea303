import Archive
import GRDB

/// The contacts of each pair, and what they add up to. A temporary file has them all; memory has those of one
/// pair at a time.
struct PairTable: Sendable {
    struct Pair: Hashable, Comparable {
        let first: Int
        let second: Int

        static func < (one: Pair, other: Pair) -> Bool {
            (one.first, one.second) < (other.first, other.second)
        }
    }

    struct Total {
        /// Start and end of each contact in milliseconds since 1970 UTC, in order.
        var spans: [(start: Int64, end: Int64)] = []
        var maximumDBm: Int?

        fileprivate mutating func add(start: Int64, end: Int64, maximumDBm: Int?) {
            spans.append((start, end))
            self.maximumDBm = [self.maximumDBm, maximumDBm].compactMap(\.self).max()
        }

        /// The same without overlap: contacts of unequal certainty may overlap, and their time counts once.
        var disjointSpans: [(start: Int64, end: Int64)] {
            var spans: [(start: Int64, end: Int64)] = []
            for span in self.spans {
                if let last = spans.last, span.start <= last.end {
                    spans[spans.count - 1].end = max(last.end, span.end)
                } else {
                    spans.append(span)
                }
            }
            return spans
        }

        var durationMilliseconds: Int64 { disjointSpans.reduce(0) { $0 + $1.end - $1.start } }
    }

    private let scratch: ScratchDatabase

    init(_ network: ContactNetwork) throws(ArchiveError) {
        try self.init { add throws(ArchiveError) in
            try network.forEachContact { contact throws(ArchiveError) in
                try add(contact)
                return true
            }
        }
    }

    /// - Parameter contacts: in order of their start.
    init(_ contacts: [NetworkContact]) throws(ArchiveError) {
        try self.init { add throws(ArchiveError) in
            for contact in contacts { try add(contact) }
        }
    }

    /// - Parameter forEachContact: calls its argument with each contact in order of its start.
    private init(
        forEachContact: ((NetworkContact) throws(ArchiveError) -> Void) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let scratch = try ScratchDatabase(
            """
            CREATE TABLE span (
                first INTEGER, second INTEGER, start INTEGER, end INTEGER, maximumDBm INTEGER
            )
            """)
        try forEachContact { contact throws(ArchiveError) in
            try scratch.run { database in
                try database.insert(
                    "INSERT INTO span VALUES (?, ?, ?, ?, ?)",
                    [contact.first, contact.second, contact.start, contact.end, contact.maximumDBm])
            }
        }
        self.scratch = scratch
    }

    /// Calls `body` with each pair in order of the participants' numbers.
    ///
    /// - Parameter body: says whether the next one is wanted.
    func forEach(_ body: (Pair, Total) throws -> Bool) throws(ArchiveError) {
        try scratch.run { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT * FROM span ORDER BY first, second, rowid")
            var latest: (pair: Pair, total: Total)?
            while let row = try rows.next() {
                let pair = Pair(first: row[0], second: row[1])
                if let (last, total) = latest, last != pair {
                    guard try body(last, total) else { return }
                    latest = nil
                }
                var total = latest?.total ?? Total()
                total.add(start: row[2], end: row[3], maximumDBm: row[4])
                latest = (pair, total)
            }
            if let (last, total) = latest { _ = try body(last, total) }
        }
    }
}

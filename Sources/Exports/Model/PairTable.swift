import Archive

/// The contacts of each pair, and what they add up to. It holds 16 bytes a contact.
struct PairTable {
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

        mutating func add(_ contact: NetworkContact) {
            spans.append((contact.start, contact.end))
            maximumDBm = [maximumDBm, contact.maximumDBm].compactMap(\.self).max()
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

    private var totals: [Pair: Total] = [:]

    init(_ network: ContactNetwork) throws(ArchiveError) {
        var totals: [Pair: Total] = [:]
        try network.forEachContact { contact in
            totals[contact.pair, default: Total()].add(contact)
            return true
        }
        self.totals = totals
    }

    /// - Parameter contacts: in order of their start.
    init(_ contacts: [NetworkContact]) {
        for contact in contacts { totals[contact.pair, default: Total()].add(contact) }
    }

    /// In order of the participants' numbers.
    var sorted: [(pair: Pair, total: Total)] {
        totals.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

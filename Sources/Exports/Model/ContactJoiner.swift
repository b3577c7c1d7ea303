/// Joins contacts of each pair that follow closely. Takes contacts in order of their start, and returns the
/// joined ones in that order, too.
struct ContactJoiner {
    private let gap: Int64
    /// The contacts that are not returned yet, in order of their start.
    private var pending: [NetworkContact] = []
    /// The place of ``pending``'s first contact in the order of all.
    private var passed = 0
    /// The place of each pair's latest contact.
    private var latest: [PairTable.Pair: Int] = [:]

    /// - Parameter gap: in milliseconds.
    init(gap: Int64) { self.gap = gap }

    /// - Returns: the contacts to which nothing can be joined any more.
    mutating func next(_ contact: NetworkContact) -> [NetworkContact] {
        let pair = contact.pair
        if let place = latest[pair], place >= passed,
            contact.start <= pending[place - passed].end.addingClamped(gap)
        {
            pending[place - passed].join(contact)
        } else {
            latest[pair] = passed + pending.count
            pending.append(contact)
        }
        let count = pending.prefix { $0.end.addingClamped(gap) < contact.start }.count
        return take(count)
    }

    mutating func rest() -> [NetworkContact] { take(pending.count) }

    private mutating func take(_ count: Int) -> [NetworkContact] {
        guard count > 0 else { return [] }
        let taken = Array(pending.prefix(count))
        pending.removeFirst(count)
        passed += count
        for contact in taken {
            if let place = latest[contact.pair], place < passed { latest[contact.pair] = nil }
        }
        return taken
    }
}

extension Int64 {
    /// Stops at the greatest and the smallest value.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }
}

import Archive

/// Joins contacts of each pair that follow closely and rest on equal evidence: joined with better evidence,
/// a contact that somebody only wrote would look as certain. Takes contacts in order of their start, and
/// returns the joined ones in that order, too.
struct ContactJoiner {
    private struct Key: Hashable {
        let pair: PairTable.Pair
        let certainty: ContactCertainty

        init(_ contact: NetworkContact) {
            pair = contact.pair
            certainty = contact.certainty
        }
    }

    private let gap: Int64
    /// The contacts that are not returned yet, in order of their start: those after the first one that can
    /// still grow.
    private var pending: [NetworkContact] = []
    /// The place of ``pending``'s first contact in the order of all.
    private var passed = 0
    /// The number of ``pending``'s contacts that were returned already.
    private var takenCount = 0
    /// The place of the latest contact of each pair and certainty.
    private var latest: [Key: Int] = [:]

    /// - Parameter gap: in milliseconds.
    init(gap: Int64) { self.gap = gap }

    /// - Returns: the contacts to which nothing can be joined any more.
    mutating func next(_ contact: NetworkContact) -> [NetworkContact] {
        let key = Key(contact)
        if let place = latest[key], place >= passed + takenCount,
            contact.start <= pending[place - passed].end.addingClamped(gap)
        {
            pending[place - passed].join(contact)
        } else {
            latest[key] = passed + pending.count
            pending.append(contact)
        }
        var end = takenCount
        while end < pending.count, pending[end].end.addingClamped(gap) < contact.start { end += 1 }
        return take(upTo: end)
    }

    mutating func rest() -> [NetworkContact] { take(upTo: pending.count) }

    private mutating func take(upTo end: Int) -> [NetworkContact] {
        guard end > takenCount else { return [] }
        let taken = Array(pending[takenCount..<end])
        for (place, contact) in zip((passed + takenCount)..., taken) where latest[Key(contact)] == place {
            latest[Key(contact)] = nil
        }
        takenCount = end
        // Moving the rest to the front each time would cost a pass over them for each contact.
        if takenCount > pending.count / 2 {
            pending.removeFirst(takenCount)
            passed += takenCount
            takenCount = 0
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

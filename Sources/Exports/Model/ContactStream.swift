import Archive
import FixedMemory
import LogContents
import TextFormats

/// Reads the contacts of an archive as the parameters select, join and round them, in order of their start
/// and then of the participants.
struct ContactStream {
    let archive: Archive
    let parameters: ExportParameters
    let labels: Labels
    /// Whether the user still wants the export.
    let isWanted: () -> Bool

    /// The numbers of encounters and contacts that a reading left out.
    struct LeftOut {
        /// Encounters with devices that had no identity of their own.
        var namelessCount = 0
        /// Contacts outside ``ExportTime/range``.
        var outOfRangeCount = 0
    }

    /// - Parameters:
    ///   - number: the number of a participant; nil for one who is not in the export.
    ///   - body: says whether the next contact is wanted.
    func forEach(
        number: (ParticipantKey) throws(ArchiveError) -> Int?,
        _ body: (NetworkContact) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) -> LeftOut {
        var leftOut = LeftOut()
        var joiner = ContactJoiner(gap: Int64(clamping: parameters.joinGap.milliseconds))
        // Rounded contacts of a pair may overlap or touch.
        var roundedJoiner = ContactJoiner(gap: 0)
        var ties = ContactTies()
        var isLastWanted = true
        let minimum = Int64(clamping: parameters.filter.minimumDuration?.milliseconds ?? 0)
        let step = Int64(clamping: parameters.timeStep.milliseconds)
        func write(_ contacts: [NetworkContact]) throws(ArchiveError) {
            for contact in contacts where isLastWanted { isLastWanted = try body(contact) }
        }
        func pass(_ contacts: [NetworkContact]) throws(ArchiveError) {
            for contact in contacts where contact.durationMilliseconds >= minimum {
                if step > 1 {
                    for each in roundedJoiner.next(contact.rounded(to: step)) { try write(ties.next(each)) }
                } else {
                    try write(ties.next(contact))
                }
            }
        }
        // A joined contact may be long enough though its parts are not.
        var filter = parameters.filter
        filter.minimumDuration = nil
        func take(_ timed: TimedContact) throws(ArchiveError) {
            guard let keys = keys(of: timed) else {
                leftOut.namelessCount += 1
                return
            }
            guard let one = try number(keys.0), let other = try number(keys.1) else { return }
            let contact = NetworkContact(timed, first: one, second: other)
            guard ExportTime.range.contains(contact.start), ExportTime.range.contains(contact.end) else {
                leftOut.outOfRangeCount += 1
                return
            }
            if isStrongEnough(contact) { try pass(joiner.next(contact)) }
        }
        var failure: ArchiveError?
        try archive.forEachTimedContact(matching: filter, withStrangers: parameters.includesStrangers) {
            timed in
            do throws(ArchiveError) {
                try take(timed)
            } catch {
                failure = error
            }
            return failure == nil && isLastWanted && isWanted()
        }
        if let failure { throw failure }
        try pass(joiner.rest())
        for each in roundedJoiner.rest() { try write(ties.next(each)) }
        try write(ties.rest())
        return leftOut
    }

    private func keys(of timed: TimedContact) -> (ParticipantKey, ParticipantKey)? {
        switch timed {
        case .boards(let contact): return (.board(contact.first.board), .board(contact.second.board))
        case .stranger(let encounter):
            guard let stranger = ParticipantKey(encounter.identity, labels) else { return nil }
            return (.board(encounter.board), stranger)
        }
    }

    private func isStrongEnough(_ contact: NetworkContact) -> Bool {
        guard let minimum = parameters.minimumRSSIdBm else { return true }
        return contact.maximumDBm.map { $0 >= minimum } ?? false
    }
}

/// Puts contacts with one start in the order of their participants.
private struct ContactTies {
    private var pending: [NetworkContact] = []

    /// - Returns: the contacts that come before this one, if any are complete.
    mutating func next(_ contact: NetworkContact) -> [NetworkContact] {
        let isLater = pending.first.map { $0.start < contact.start } ?? false
        let complete = isLater ? rest() : []
        pending.append(contact)
        return complete
    }

    mutating func rest() -> [NetworkContact] {
        defer { pending.removeAll(keepingCapacity: true) }
        return pending.sorted()
    }
}

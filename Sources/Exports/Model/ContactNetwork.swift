import Archive
import FixedMemory
import LogContents
import TextFormats

/// The participants and contacts of an archive, as the parameters select them.
public final class ContactNetwork {
    public let archive: Archive
    public let parameters: ExportParameters
    /// The trusted boards, in the order in which they were registered.
    let boards: [LogIdentity]
    public private(set) var participants: Participants
    /// The contacts that were left out, because their time is unknown.
    public let undatedCount: Int
    /// The encounters that were left out so far, because the device had no identity of its own.
    public private(set) var namelessCount = 0
    public private(set) var contactCount = 0

    public init(_ archive: Archive, _ parameters: ExportParameters) throws(ArchiveError) {
        self.archive = archive
        self.parameters = parameters
        let boards = try archive.boards()
        self.boards = boards.map(\.identity)
        participants = Participants(
            boards: boards, roles: try archive.roles(), labels: try archive.labels(),
            smallestGroup: parameters.smallestGroup, pseudonyms: parameters.pseudonyms)
        undatedCount = try archive.undatedContactCount(withStrangers: parameters.includesStrangers)
    }

    /// Calls `body` with each contact in order of its start. Strangers become participants meanwhile.
    ///
    /// - Parameter body: says whether the next one is wanted.
    public func forEachContact(_ body: (NetworkContact) -> Bool) throws(ArchiveError) {
        contactCount = 0
        namelessCount = 0
        var joiner = ContactJoiner(gap: Int64(clamping: parameters.joinGap.milliseconds))
        var isWanted = true
        let minimum = parameters.filter.minimumDuration
        // A joined contact may be long enough though its parts are not.
        var filter = parameters.filter
        if parameters.joinGap > .zero { filter.minimumDuration = nil }
        func pass(_ contacts: [NetworkContact]) {
            for contact in contacts where isWanted {
                guard contact.durationMilliseconds >= Int64(clamping: minimum?.milliseconds ?? 0) else {
                    continue
                }
                contactCount += 1
                isWanted = body(rounded(contact))
            }
        }
        try archive.forEachTimedContact(
            matching: filter, withStrangers: parameters.includesStrangers
        ) { timed in
            guard let contact = contact(timed), admits(contact) else { return true }
            pass(joiner.next(contact))
            return isWanted
        }
        pass(joiner.rest())
    }

    private func admits(_ contact: NetworkContact) -> Bool {
        guard let minimum = parameters.minimumRSSIdBm else { return true }
        return contact.maximumDBm.map { $0 >= minimum } ?? false
    }

    private func contact(_ timed: TimedContact) -> NetworkContact? {
        switch timed {
        case .boards(let contact):
            guard let one = participants.number(of: contact.first.board),
                let other = participants.number(of: contact.second.board)
            else { return nil }
            return NetworkContact(
                first: min(one, other), second: max(one, other), start: contact.start.milliseconds,
                end: contact.end.milliseconds,
                errorMilliseconds: contact.clockError.map { Int64(clamping: $0.milliseconds) },
                readingCount: contact.first.readingCount + contact.second.readingCount,
                maximumDBm: contact.sides.compactMap(\.maximumDBm).max(), isMutual: contact.isMutual,
                certainty: contact.certainty)
        case .stranger(let encounter):
            guard let board = participants.number(of: encounter.board) else { return nil }
            guard let stranger = participants.number(of: encounter) else {
                namelessCount += 1
                return nil
            }
            return NetworkContact(
                first: board, second: stranger, start: encounter.start.milliseconds,
                end: encounter.end.milliseconds,
                errorMilliseconds: encounter.clockError.map { Int64(clamping: $0.milliseconds) },
                readingCount: encounter.readingCount, maximumDBm: encounter.rssi?.maximumDBm,
                isMutual: false, certainty: encounter.isWritten ? .written : .served)
        }
    }

    private func rounded(_ contact: NetworkContact) -> NetworkContact {
        let step = Int64(clamping: parameters.timeStep.milliseconds)
        guard step > 1 else { return contact }
        var contact = contact
        contact.start = CivilTime.floor(contact.start, by: step) * step
        contact.end = CivilTime.floor(contact.end.addingClamped(step - 1), by: step) * step
        return contact
    }
}

import Archive
import CommandLineText
import FixedMemory
import LogContents
import Reports

/// Finds the meetings of a board or an identity.
struct MeetingSearch {
    struct Answer {
        /// The name of the board, or the label of the identity.
        var subject: String
        /// Admits the encounters of the subject alone.
        var selection: Selection
        var meetings: [Meeting] = []
        /// The number of the subject's encounters with identities of no board.
        var strangerCount = 0
        var unheard: [UnheardTime] = []
    }

    enum Selection {
        case board(LogIdentity)
        /// All identities of a person with a name.
        case identities(Set<Identity>)
        /// An identity's digits, label or last word.
        case identityText(String)
    }

    let archive: Archive
    let boards: [ArchivedBoard]
    let times: MomentRange
    let minimumDuration: Interval?
    let excludesWritten: Bool
    let distances: ContactDistances

    var names: BoardNames { BoardNames(boards) }

    func meetings(of name: String, withStrangers: Bool) throws(Failure) -> Answer {
        let meant = boards.filter { BoardChoice.isMeant($0, by: name) }
        guard meant.count <= 1 else { throw Failure(ambiguous: name, meant) }
        if let board = meant.first { return try meetings(of: board, withStrangers: withStrangers) }
        return try meetings(ofIdentity: name)
    }

    // MARK: Boards

    private func meetings(of board: ArchivedBoard, withStrangers: Bool) throws(Failure) -> Answer {
        var answer = Answer(subject: names[board.identity], selection: .board(board.identity))
        var filter = ContactFilter()
        (filter.since, filter.until) = (times.since, times.until)
        filter.minimumDuration = minimumDuration
        filter.excludesWritten = excludesWritten
        filter.boards = [board.identity]
        let names = names
        let labels = try archiving { () throws(ArchiveError) in try archive.labels() }
        try archiving { () throws(ArchiveError) in
            try archive.forEachContact(matching: filter) {
                answer.meetings.append(Meeting($0, of: board.identity, names: names, distances))
                return true
            }
            var encounters = encounterFilter
            encounters.boards = [board.identity]
            try archive.forEachEncounter(matching: encounters, withStrangersOnly: true) {
                answer.strangerCount += 1
                if withStrangers {
                    answer.meetings.append(
                        Meeting($0, subjectIsBoard: true, names: names, people: labels, distances))
                }
                return true
            }
        }
        answer.meetings = Meeting.inOrder(answer.meetings)
        answer.unheard = try unheard(by: board.identity)
        return answer
    }

    private func unheard(by board: LogIdentity) throws(Failure) -> [UnheardTime] {
        var timelines: [CoverageTimeline] = []
        for each in boards {
            let history = try archiving { () throws(ArchiveError) in
                try archive.history(of: each.identity, withTracks: false)
            }
            timelines += CoverageAssembly.timelines(of: history, since: times.since, until: times.until)
        }
        guard let own = timelines.first(where: { $0.board == board && $0.isOnWallClock }) else { return [] }
        return UnheardTime.times(in: own, others: timelines)
    }

    // MARK: Identities

    private func meetings(ofIdentity text: String) throws(Failure) -> Answer {
        let labels = try archiving { () throws(ArchiveError) in try archive.labels() }
        let named = labels.identities(named: text)
        if let one = named.first {
            return try meetings(of: labels[one].name ?? text, .identities(named))
        }
        let met = try archiving { () throws(ArchiveError) in try archive.metIdentities() }
        let meant = met.filter { $0.isMeant(by: text) }
        guard let first = meant.first else { throw unknown(text) }
        let byDigits = meant.count { $0.hexadecimal.hasPrefix(text.lowercased()) }
        guard byDigits <= 1 else {
            throw Failure(.usage, "\(text): \(byDigits) identities begin so; write more of their digits")
        }
        return try meetings(of: meant.count == 1 ? first.label : text, .identityText(text))
    }

    private func meetings(of subject: String, _ selection: Selection) throws(Failure) -> Answer {
        var answer = Answer(subject: subject, selection: selection)
        let filter = selection.narrowing(encounterFilter)
        let names = names
        try archiving { () throws(ArchiveError) in
            try archive.forEachEncounter(matching: filter) {
                answer.meetings.append(Meeting($0, subjectIsBoard: false, names: names, distances))
                return true
            }
        }
        return answer
    }

    private var encounterFilter: EncounterFilter {
        var filter = EncounterFilter()
        (filter.since, filter.until) = (times.since, times.until)
        filter.minimumDuration = minimumDuration
        filter.excludesWritten = excludesWritten
        return filter
    }

    private func unknown(_ text: String) -> Failure {
        let labels = boards.map(\.label)
        let hint =
            NearestText.nearest(to: text, among: labels).map { "did you mean \($0)?" }
            ?? "the boards are \(labels.joined(separator: ", ")); `tabardctl encounters` shows identities"
        return Failure(.noInput, "\(text): no board has this name, and nobody this identity; \(hint)")
    }
}

extension MeetingSearch.Selection {
    /// The filter, for the subject alone.
    func narrowing(_ filter: EncounterFilter) -> EncounterFilter {
        var filter = filter
        switch self {
        case .board(let board): filter.boards = [board]
        case .identities(let identities): filter.identities = identities
        case .identityText(let text): filter.identityText = text
        }
        return filter
    }

    /// The option of `tabardctl encounters` that names the subject.
    var option: String {
        if case .board = self { "--board" } else { "--identity" }
    }
}

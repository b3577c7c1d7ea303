import Archive
import EncounterLog
import LogContents
import Reports
import TextFormats

/// The nodes of an export, numbered from one: first the boards, then strangers. Strangers without a label are
/// in a temporary file, so that memory does not grow with their number.
public final class Participants {
    /// The boards and their ids, in order of their numbers.
    let boards: [(board: LogIdentity, id: String)]
    private let ofBoards: [Participant]
    private let strangers: StrangerTable
    /// The strangers with a label, by their subjects' bytes.
    private let labelled: [[UInt8]: Participant]
    /// The ids of boards and labelled strangers.
    private let taken: UniqueNames
    private let numbersOfBoards: [LogIdentity: Int]
    private var recent = RecentValues<Int, Participant>()
    private var recentNumbers = RecentValues<ParticipantKey, Int?>()

    /// - Parameter search: has met all strangers of the export.
    init(
        boards: [ArchivedBoard], roles: [LogIdentity: LogRole], labels: Labels, _ search: StrangerSearch,
        smallestGroup: Int, pseudonyms: Pseudonyms?
    ) throws(ArchiveError) {
        var own = boards.map(\.identity)
        var ids = UniqueNames()
        var idsOfBoards: [String]
        if let pseudonyms {
            let codes = own.map { (board: $0, code: pseudonyms.code(of: ParticipantKey.board($0).bytes)) }
                // The order of registration, or that of first contacts, could tell who is who.
                .sorted { $0.code < $1.code }
            own = codes.map(\.board)
            idsOfBoards = codes.map { ids.name(like: $0.code) }
            strangers = try search.numbered(taken: ids, code: pseudonyms.code)
        } else {
            let names = BoardNames(boards)
            idsOfBoards = own.map { ids.name(like: names[$0]) }
            strangers = try search.numbered()
        }
        var given = Dictionary(uniqueKeysWithValues: own.map { (ParticipantKey.board($0), labels[$0]) })
        for (key, label) in labels.ofStrangers where try strangers.number(of: key) != nil {
            given[key] = label
        }
        let groups = SmallGroups(given, smallest: smallestGroup)
        func participant(_ key: ParticipantKey, _ kind: Participant.Kind, id: String) -> Participant {
            var label = groups[key]
            if pseudonyms == nil { label.name = given[key]?.name }
            return Participant(id: id, kind: kind, label: label, model: given[key]?.model)
        }
        ofBoards = zip(own, idsOfBoards).map { board, id in
            participant(.board(board), Participant.Kind(roles[board]), id: id)
        }
        var labelled: [[UInt8]: Participant] = [:]
        for key in given.keys.filter(\.isStranger).sorted(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        ) {
            // A stranger may have the name of a board. Under pseudonyms the temporary file has the id.
            let id = pseudonyms == nil ? ids.name(like: key.name(given[key])) : ""
            labelled[key.bytes] = participant(key, .stranger, id: id)
        }
        self.labelled = labelled
        taken = ids
        self.boards = zip(own, idsOfBoards).map { ($0, $1) }
        numbersOfBoards = Dictionary(uniqueKeysWithValues: zip(own, 1...))
    }

    public var count: Int { boards.count + strangers.count }

    /// The number of participants with a label that the export shows like this.
    public func count(where isCounted: (Label) -> Bool) -> Int {
        let unlabelledCount = isCounted(Label()) ? strangers.count - labelled.count : 0
        return unlabelledCount + (ofBoards + labelled.values).count { isCounted($0.label) }
    }

    /// Nil for one who is not in the export.
    func number(of key: ParticipantKey) throws(ArchiveError) -> Int? {
        if case .board(let board) = key { return numbersOfBoards[board] }
        return try recentNumbers.value(of: key) { () throws(ArchiveError) in try strangers.number(of: key) }
    }

    public subscript(number: Int) -> Participant {
        get throws(ArchiveError) {
            if number <= ofBoards.count { return ofBoards[number - 1] }
            return try recent.value(of: number) { () throws(ArchiveError) in
                let (subject, code) = try strangers.stranger(number)
                return stranger(subject, code)
            }
        }
    }

    /// Calls `body` with all participants in order of their numbers.
    ///
    /// - Parameter body: says whether the next one is wanted. It must not ask for participants.
    public func forEach(_ body: (_ number: Int, _ participant: Participant) -> Bool) throws(ArchiveError) {
        for (number, participant) in zip(1..., ofBoards) {
            guard body(number, participant) else { return }
        }
        try strangers.forEach { number, subject, code in body(number, stranger(subject, code)) }
    }

    private func stranger(_ subject: [UInt8], _ code: String?) -> Participant {
        if let participant = labelled[subject] { return code.map(participant.withID) ?? participant }
        let id = code ?? taken.free(like: ParticipantKey.name(ofIdentity: subject))
        return Participant(id: id, kind: .stranger, label: Label(), model: nil)
    }
}

extension Participant {
    fileprivate func withID(_ id: String) -> Participant {
        Participant(id: id, kind: kind, label: label, model: model)
    }
}

extension Participant.Kind {
    init(_ role: LogRole?) {
        switch role {
        case .beacon?: self = .beacon
        case .wearable?: self = .wearable
        default: self = .board
        }
    }
}

import Archive
import EncounterLog
import LogContents
import Reports

/// The nodes of an export, numbered from one: first the boards, then strangers as they appear.
public struct Participants: Sendable {
    private(set) var all: [Participant] = []
    private var numbers: [Key: Int] = [:]
    private let labels: Labels
    private let groups: SmallGroups
    private let pseudonyms: Pseudonyms?
    private var ids: Set<String> = []

    /// One person: a board, the bearer of several identities with one name, or an identity.
    private enum Key: Hashable {
        case board(LogIdentity)
        case person(name: String)
        case identity(Identity)
    }

    init(
        boards: [BoardSummary], roles: [LogIdentity: LogRole], labels: Labels, smallestGroup: Int,
        pseudonyms: Pseudonyms?
    ) {
        self.labels = labels
        self.pseudonyms = pseudonyms
        var people: [LabelSubject: Label] = [:]
        for board in boards { people[.board(board.identity)] = labels[board.identity] }
        for identity in labels.identities { people[.identity(identity)] = labels[identity] }
        groups = SmallGroups(people, smallest: smallestGroup)
        let names = BoardNames(boards)
        var nodes = boards.map { board in
            (
                board.identity,
                participant(
                    name: names[board.identity], subject: .board(board.identity),
                    bytes: [0] + board.identity.bytes, kind: Participant.Kind(roles[board.identity]))
            )
        }
        // The order in which boards were registered could tell who is who.
        if pseudonyms != nil { nodes.sort { $0.1.id < $1.1.id } }
        for (board, node) in nodes { add(node, as: .board(board)) }
    }

    /// The number of a board; nil for one that is not trusted.
    func number(of board: LogIdentity) -> Int? { numbers[.board(board)] }

    /// The number of a stranger, who becomes a node. Nil for a device without an identity of its own: nobody
    /// can tell whether two of them are one.
    mutating func number(of stranger: EncounterSummary) -> Int? {
        guard let identity = stranger.identity, identity.namesSomeone else { return nil }
        let name = labels[identity].name
        let key: Key = name.map { .person(name: $0) } ?? .identity(identity)
        if let number = numbers[key] { return number }
        let subject = name.map { [2] + Array($0.utf8) } ?? [1, identity.scheme.rawValue] + identity.payload
        let node = participant(
            name: name ?? "\(identity.scheme.label) \(identity.hexadecimal)", subject: .identity(identity),
            bytes: subject, kind: .stranger)
        add(node, as: key)
        return all.count
    }

    public subscript(number: Int) -> Participant { all[number - 1] }

    public var numbered: [(number: Int, participant: Participant)] {
        all.enumerated().map { ($0 + 1, $1) }
    }

    private func participant(
        name: String, subject: LabelSubject, bytes: [UInt8], kind: Participant.Kind
    ) -> Participant {
        var label = groups[subject]
        if let pseudonyms { return Participant(id: pseudonyms.code(of: bytes), kind: kind, label: label) }
        label.name = labels[subject].name
        return Participant(id: name, kind: kind, label: label)
    }

    /// A stranger may have the name of a board.
    private mutating func add(_ node: Participant, as key: Key) {
        var id = node.id
        var suffix = 2
        while !ids.insert(id).inserted {
            id = "\(node.id) (\(suffix))"
            suffix += 1
        }
        all.append(Participant(id: id, kind: node.kind, label: node.label))
        numbers[key] = all.count
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

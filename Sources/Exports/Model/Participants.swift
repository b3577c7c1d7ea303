import Archive
import EncounterLog
import LogContents
import Reports
import TextFormats

/// The nodes of an export, numbered from one: first the boards, then strangers.
public struct Participants: Sendable {
    let all: [Participant]
    /// The boards in order of their numbers.
    let boards: [LogIdentity]
    private let numbers: [ParticipantKey: Int]

    /// - Parameter strangers: the keys of people and identities, in order of their first contact.
    init(
        boards: [BoardSummary], roles: [LogIdentity: LogRole], labels: Labels, strangers: [ParticipantKey],
        smallestGroup: Int, pseudonyms: Pseudonyms?
    ) {
        var own = boards.map { ParticipantKey.board($0.identity) }
        var others = strangers
        let codes = pseudonyms.map { pseudonyms in
            Dictionary(uniqueKeysWithValues: (own + others).map { ($0, pseudonyms.code(of: $0.bytes)) })
        }
        if let codes {
            // The order of registration, or that of first contacts, could tell who is who.
            own.sort { codes[$0, default: ""] < codes[$1, default: ""] }
            others.sort { codes[$0, default: ""] < codes[$1, default: ""] }
        }
        let keys = own + others
        let given = labels.ofParticipants(keys)
        let groups = SmallGroups(given, smallest: smallestGroup)
        let names = BoardNames(boards)
        // A stranger may have the name of a board.
        var ids = UniqueNames()
        all = keys.map { key in
            var label = groups[key]
            let id: String
            if let codes {
                id = codes[key, default: ""]
            } else {
                label.name = given[key]?.name
                id = Self.name(of: key, label, names)
            }
            return Participant(
                id: ids.name(like: id), kind: Self.kind(of: key, roles), label: label,
                model: given[key]?.model)
        }
        numbers = Dictionary(uniqueKeysWithValues: zip(keys, 1...))
        self.boards = own.compactMap { key in
            guard case .board(let board) = key else { return nil }
            return board
        }
    }

    /// Nil for one who is not in the export.
    func number(of key: ParticipantKey) -> Int? { numbers[key] }

    public subscript(number: Int) -> Participant { all[number - 1] }

    public var numbered: [(number: Int, participant: Participant)] {
        all.enumerated().map { ($0 + 1, $1) }
    }

    private static func name(of key: ParticipantKey, _ label: Label, _ names: BoardNames) -> String {
        switch key {
        case .board(let board): names[board]
        case .person(let name): label.name ?? name
        case .identity(let identity): "\(identity.scheme.label) \(identity.distinguishingBytes.hexadecimal)"
        }
    }

    private static func kind(of key: ParticipantKey, _ roles: [LogIdentity: LogRole]) -> Participant.Kind {
        guard case .board(let board) = key else { return .stranger }
        return Participant.Kind(roles[board])
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

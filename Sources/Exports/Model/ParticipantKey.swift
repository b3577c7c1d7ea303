import Archive
import LogContents

/// The subject of a participant, before it has a number or a code: a board, a person, or an identity without
/// a name.
enum ParticipantKey: Hashable, Sendable {
    case board(LogIdentity)
    /// The bearer of all identities with one name, in lower case.
    case person(name: String)
    case identity(Identity)

    /// Nil for a device without an identity of its own: nobody can tell whether two of them are one.
    init?(_ identity: Identity?, _ labels: Labels) {
        guard let identity, identity.namesSomeone else { return nil }
        self = labels[identity].name.map { .person(name: $0.lowercased()) } ?? .identity(identity)
    }

    /// The bytes that a pseudonym stands for. No two keys have the same.
    var bytes: [UInt8] {
        switch self {
        case .board(let board): [0] + board.bytes
        case .identity(let identity): [1, identity.scheme.rawValue] + identity.distinguishingBytes
        case .person(let name): [2] + Array(name.utf8)
        }
    }
}

extension Labels {
    /// The label of each participant. A person has the attributes of all identities with the name; if two of
    /// them differ, that of the first identity counts.
    func ofParticipants(_ keys: [ParticipantKey]) -> [ParticipantKey: Label] {
        var people: [String: Label] = [:]
        for identity in identities {
            let label = self[identity]
            guard let name = label.name?.lowercased() else { continue }
            people[name] = label.merged(with: people[name, default: Label()])
        }
        return Dictionary(
            uniqueKeysWithValues: keys.map { key in
                switch key {
                case .board(let board): (key, self[board])
                case .identity(let identity): (key, self[identity])
                case .person(let name): (key, people[name, default: Label()])
                }
            })
    }
}

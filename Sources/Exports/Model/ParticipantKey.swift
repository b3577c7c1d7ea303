import Archive
import EncounterLog
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

    var isStranger: Bool {
        if case .board = self { false } else { true }
    }

    /// The id of a stranger without a pseudonym.
    func name(_ label: Label?) -> String {
        if case .person(let name) = self { return label?.name ?? name }
        return Self.name(ofIdentity: bytes)
    }

    /// - Parameter subject: the ``bytes`` of an identity.
    static func name(ofIdentity subject: [UInt8]) -> String {
        let scheme = SchemeCode(rawValue: subject.dropFirst().first ?? 0)
        return "\(scheme.label) \(Array(subject.dropFirst(2)).hexadecimal)"
    }
}

extension Labels {
    /// The labels of people and of identities without a name. A person has the attributes of all identities
    /// with the name; if two of them differ, that of the first identity counts.
    var ofStrangers: [ParticipantKey: Label] {
        var strangers: [ParticipantKey: Label] = [:]
        for identity in identities {
            guard let key = ParticipantKey(identity, self) else { continue }
            strangers[key] = self[identity].merged(with: strangers[key, default: Label()])
        }
        return strangers
    }
}

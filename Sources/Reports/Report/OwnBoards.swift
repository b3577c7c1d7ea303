import Archive

/// The peers that have a name: the archive's own boards, by the identities that they served, and the
/// identities that the operator labelled.
public struct OwnBoards: Sendable {
    private let labels: [String]
    private let indices: [Peer: [Int]]
    private let people: Labels

    public init(_ boards: [ServedIdentities], people: Labels = Labels()) {
        self.people = people
        labels = boards.map(\.label)
        var indices: [Peer: [Int]] = [:]
        for (index, board) in boards.enumerated() {
            for peer in Set(board.identities.map(Peer.init(_:))) { indices[peer, default: []].append(index) }
        }
        self.indices = indices
    }

    func contains(_ peer: Peer) -> Bool { indices[peer] != nil }

    /// The labels of the boards that served the identity of this peer; several if they served the same one.
    func labels(of peer: Peer) -> [String] { indices[peer, default: []].map { labels[$0] } }

    /// The labels of the boards that this encounter was with; none for a stranger.
    public func labels(of encounter: EncounterSummary) -> [String] { labels(of: Peer(encounter)) }

    /// The name that the operator gave to the identity of this encounter; nil without one.
    public func personName(of encounter: EncounterSummary) -> String? {
        encounter.identity.flatMap { people[$0].name }
    }

    /// " (Badge1)" if the encounter was with a board of the archive, or with somebody who has a name; else
    /// empty.
    public func remark(of encounter: EncounterSummary) -> String {
        let names = labels(of: encounter) + [personName(of: encounter)].compactMap(\.self)
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }

    /// The labels of all boards among the peers, in the archive's order.
    func labels(among peers: Set<Peer>) -> [String] {
        Set(peers.flatMap { indices[$0, default: []] }).sorted().map { labels[$0] }
    }
}

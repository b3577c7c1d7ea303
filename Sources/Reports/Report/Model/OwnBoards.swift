import Archive

/// The peers that have a name: the archive's own boards, by the identities that they served, and the
/// identities that the operator labelled.
public struct OwnBoards: Sendable {
    private let labels: [String]
    private let indices: [Peer: [Int]]
    /// The labels of boards and people.
    let people: Labels

    /// The names of all boards of the archive.
    let names: BoardNames

    public init(
        _ boards: [ServedIdentities], people: Labels = Labels(), names: BoardNames = BoardNames([])
    ) {
        self.people = people
        self.names = names
        labels = boards.map(\.label)
        var indices: [Peer: [Int]] = [:]
        for (index, board) in boards.enumerated() {
            for peer in Set(board.identities.map(Peer.init(_:))) { indices[peer, default: []].append(index) }
        }
        self.indices = indices
    }

    /// The boards that served the identity of this peer, by their places in the archive.
    func indices(of peer: Peer) -> [Int] { indices[peer, default: []] }

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

    /// The name of the board or person that this encounter was with; nil for a stranger.
    func name(of encounter: EncounterSummary) -> String? {
        let names = labels(of: encounter) + [personName(of: encounter)].compactMap(\.self)
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }

    /// The labels of these boards, in the archive's order.
    func labels(at places: Set<Int>) -> [String] { places.sorted().map { labels[$0] } }
}

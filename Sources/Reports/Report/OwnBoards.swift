import Archive

/// The archive's own boards, as far as other boards meet them: by the identities that they served.
public struct OwnBoards: Sendable {
    private let labels: [String]
    private let indices: [Peer: [Int]]

    public init(_ boards: [ServedIdentities]) {
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

    /// " (Badge1)" if the encounter was with a board of the archive; else empty.
    public func remark(of encounter: EncounterSummary) -> String {
        let names = labels(of: encounter)
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }

    /// The labels of all boards among the peers, in the archive's order.
    func labels(among peers: Set<Peer>) -> [String] {
        Set(peers.flatMap { indices[$0, default: []] }).sorted().map { labels[$0] }
    }
}

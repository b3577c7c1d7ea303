import Archive

/// The peers of some encounters, counted: identities, and boards of the archive apart from them.
struct NearPeers {
    let identityCount: Int
    /// The boards' labels.
    let ownBoards: [String]

    init(_ encounters: [Encounter], _ ownBoards: OwnBoards) {
        let peers = Set(encounters.map(Peer.init(_:)))
        identityCount = peers.count { $0.isIdentified && !ownBoards.contains($0) }
        self.ownBoards = ownBoards.labels(among: peers)
    }
}

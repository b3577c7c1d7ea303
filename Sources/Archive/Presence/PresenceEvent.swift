import GRDB

/// A peer arrives at a board, or departs.
struct PresenceEvent {
    let time: Int64
    let isArrival: Bool
    /// A board of the archive, or the first track of the encounter: one device.
    let peer: String
    /// The board, or the identity.
    let identity: String
    let error: Int64?

    init(row: Row) {
        time = row[0]
        isArrival = row[1]
        peer = row[2]
        error = row[3]
        identity = row[5]
    }

    init(time: Int64, isArrival: Bool, peer: String, identity: String, error: Int64?) {
        self.time = time
        self.isArrival = isArrival
        self.peer = peer
        self.identity = identity
        self.error = error
    }

    var isOfBoard: Bool { peer.hasPrefix("board ") }
}

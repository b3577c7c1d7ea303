import GRDB

/// A peer arrives at a board, or departs.
struct PresenceEvent {
    let time: Int64
    let isArrival: Bool
    let peer: String
    let error: Int64?

    init(row: Row) {
        time = row[0]
        isArrival = row[1]
        peer = row[2]
        error = row[3]
    }

    init(time: Int64, isArrival: Bool, peer: String, error: Int64?) {
        self.time = time
        self.isArrival = isArrival
        self.peer = peer
        self.error = error
    }

    var isOfBoard: Bool { peer.hasPrefix("board ") }
}

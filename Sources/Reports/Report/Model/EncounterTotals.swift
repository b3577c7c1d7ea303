import Archive
import FixedMemory
import LogContents

/// The sums and extremes of any number of encounters. They come one after the other, in order of time, and
/// memory does not grow with them.
public struct EncounterTotals: Sendable {
    /// Some of the encounters.
    struct Part: Sendable {
        var count = 0
        var unidentifiedCount = 0
        var peers = PeerTally()
        /// The boards of the archive among the peers, by their place in the archive.
        var ownBoards: Set<Int> = []
        var longest = LongestEncounters(limit: 1)
    }

    /// One board's encounters on the wall clock.
    struct BoardPart: Sendable {
        var count = 0
        /// The worst error of their times among those that are known.
        var worstError = Interval.zero
        var unknownErrorCount = 0
    }

    /// A report with at most so many encounters shows each of them.
    static let detailLimit = 200

    /// The encounters on the wall clock.
    private(set) var dated = Part()
    private(set) var all = Part()
    private(set) var boards: [LogIdentity: BoardPart] = [:]
    /// From the first to the last moment on the wall clock.
    private(set) var range: ClosedRange<TimelinePoint>?
    private(set) var durations = DurationHistogram()
    private(set) var longest = LongestEncounters(limit: detailLimit)
    private var near = NearTime()

    public init() {}

    init(_ encounters: [EncounterSummary], _ named: OwnBoards) {
        for encounter in encounters { add(encounter, named) }
    }

    /// - Parameter encounter: begins not before those that were added.
    mutating func add(_ encounter: EncounterSummary, _ named: OwnBoards) {
        let peer = Peer(encounter)
        let digest = peer.digest
        let own = named.indices(of: peer)
        if encounter.isOnWallClock {
            dated.add(encounter, peer, digest, own)
            boards[encounter.board, default: BoardPart()].add(encounter)
            let (first, last) = (range?.lowerBound ?? encounter.start, range?.upperBound ?? encounter.end)
            range = min(first, encounter.start)...max(last, encounter.end)
        }
        all.add(encounter, peer, digest, own)
        durations.add(encounter.duration)
        longest.add(encounter)
        near.add(encounter, of: digest)
    }

    var count: Int { all.count }
    var undatedCount: Int { all.count - dated.count }

    /// The encounters that the report speaks of: those on the wall clock, if there are any.
    var subject: Part { dated.count > 0 ? dated : all }

    var nearTime: Interval { near.total }

    /// The worst error of all encounters on the wall clock; nil if one of them is unknown, or if there are
    /// none.
    var clockError: Interval? {
        boards.values.contains { $0.unknownErrorCount > 0 } ? nil : boards.values.map(\.worstError).max()
    }
}

extension EncounterTotals.Part {
    fileprivate mutating func add(
        _ encounter: EncounterSummary, _ peer: Peer, _ digest: UInt64, _ own: [Int]
    ) {
        count += 1
        if encounter.identity == nil { unidentifiedCount += 1 }
        if own.isEmpty {
            if peer.isIdentified { peers.add(digest) }
        } else {
            ownBoards.formUnion(own)
        }
        longest.add(encounter)
    }
}

extension EncounterTotals.BoardPart {
    fileprivate mutating func add(_ encounter: EncounterSummary) {
        count += 1
        if let error = encounter.clockError {
            worstError = max(worstError, error)
        } else {
            unknownErrorCount += 1
        }
    }
}

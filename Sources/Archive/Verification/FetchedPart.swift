import EncounterLog

/// The pages that a fetch has brought, behind those that were stored before it. Somebody between board and
/// computer can change, cut or leave out any of them, and the hashes over them, but not the chain value at
/// the end, which the board has signed.
struct FetchedPart {
    /// The pages in log order, from the newest stored segment before the fetched part on.
    let records: [PageRecord]
    /// The oldest position that was fetched.
    let start: LogPosition
    /// The end that the board has signed; nil for a board without a key.
    let end: LogHead?
    /// The oldest segment that the board has, as it has signed.
    let oldestOrdinal: UInt32

    /// The segments, in order, that do not chain to the end, or to the pages before the fetched part. If the
    /// board cannot read its own pages, the chain is broken as well.
    var unchainedSegments: [UInt32] {
        guard let first = records.firstIndex(where: { $0.position >= start }) else { return [] }
        let walk = ChainWalk(records)
        let fetched = Set(records[first...].map(\.position.segmentOrdinal))
        let last =
            end.map { end in records.lastIndex { $0.head == end } } ?? walk.roles.lastIndex(of: .chained)
        guard let last, walk.roles[last] == .chained,
            let begin = walk.roles[first...].firstIndex(of: .chained)
        else { return fetched.sorted() }
        let isOldest =
            records[first].position.segmentOrdinal <= oldestOrdinal && records[first].position.byteOffset == 0
        guard first > 0 || isOldest else { return fetched.sorted() }
        let broken = walk.breaks.map(\.after).max() ?? begin
        var ordinals = Set(records[first..<max(first, broken)].map(\.position.segmentOrdinal))
        let isJoined =
            walk.roles[..<first].contains(.chained) && !walk.breaks.contains { $0.after == begin }
        if !isJoined, !isOldest {
            // The end of the segment before may be missing, and whole segments after it.
            ordinals.insert(records[first - 1].position.segmentOrdinal)
        }
        return ordinals.sorted()
    }
}

import EncounterLog
import FixedMemory
import LogContents

/// Assembles encounters from a board's history: a pure function of that history.
///
/// A track follows one address; an encounter follows one identity. Assembly takes two steps:
///
/// 1. It cuts each track where the peer changed its identity. A peer of several schemes gets an encounter in
///    each.
/// 2. It joins pieces of one identity whose silence is no longer than the board's encounter timeout. Pieces
///    join across addresses, and across boots if both have a wall clock.
///
/// Peers without an identity, or with one that many peers share, are joined by address alone.
///
/// Anybody can write anything to a board, under any address. So an identity that a peer only wrote counts
/// only in a track from which none of that scheme was read, and no piece with nothing but written evidence
/// joins one with better evidence.
public enum EncounterAssembly {
    /// The encounter timeout for a boot whose parameters are lost: the longest configurable one (HP-C33).
    public static let defaultEncounterTimeout = Interval.seconds(30)

    /// In order of time: first those on the wall clock, then those of each boot without one.
    public static func encounters(of history: BoardHistory) -> [Encounter] {
        let pieces = zip(history.boots, history.placements()).enumerated().flatMap { order, start in
            let (boot, placement) = start
            let placed = PlacedBoot(
                board: history.board, identifier: boot.identifier, order: order, placement: placement,
                encounterTimeout: boot.parameters?.encounterTimeout ?? defaultEncounterTimeout,
                position: boot.position)
            return boot.tracks.flatMap { EncounterPiece.pieces(of: $0, in: placed) }
        }
        let groups = Dictionary(grouping: pieces, by: \.key).values
        let joined = groups.flatMap(join)
        return joined.sorted { $0.sortKey < $1.sortKey }.map(\.encounter)
    }

    /// Sorts encounters on the wall clock by start; the others follow in their given order.
    public static func inOrder(_ encounters: [Encounter]) -> [Encounter] {
        encounters.filter(\.isOnWallClock).sorted { $0.start < $1.start }
            + encounters.filter { !$0.isOnWallClock }
    }

    /// - Parameter pieces: with one key.
    static func join(_ pieces: [EncounterPiece]) -> [EncounterPiece] {
        var joined: [EncounterPiece] = []
        for piece in pieces.sorted(by: { $0.sortKey < $1.sortKey }) {
            if let last = joined.last, last.isContinued(by: piece) {
                joined[joined.count - 1].append(piece)
            } else {
                joined.append(piece)
            }
        }
        return joined
    }
}

import FixedMemory
import Foundation
import GRDB
import LogContents

/// Keeps the stored encounters of one board equal to what ``EncounterAssembly`` makes of its history.
///
/// An import touches some tracks, and moves boots whose clock is fitted anew. The keeper removes the
/// encounters of these tracks and joins their pieces anew: with each other, and with stored encounters near
/// them.
struct EncounterKeeper {
    let boardID: Int64
    let database: Database
    private let reader: TrackReader
    private let boots: [Int64: PlacedBoot]
    /// The boots whose encounters are all made anew.
    private let moved: Set<Int64>
    private let pieces: PieceTable
    private let touched: TouchedTracks
    private let newEncounters: NewEncounters
    /// The boots whose records or clocks have changed.
    let changedBoots: [(boot: StoredBoot, placement: BootPlacement)]

    /// Places the boots of the board, and stores the placements.
    init(
        _ board: LogIdentity, boardID: Int64, touched: TouchedTracks, touchedTimes: TouchedTimes,
        archive: Archive, database: Database
    ) throws {
        self.boardID = boardID
        self.database = database
        self.touched = touched
        let stored = try archive.storedBoots(
            ofBoard: boardID, changed: Set(touched.boots.keys), in: database)
        let placements = BoardClockFit(stored.map(\.clock)).placements()
        var boots: [Int64: PlacedBoot] = [:]
        var moved: Set<Int64> = []
        var changed: [(boot: StoredBoot, placement: BootPlacement)] = []
        for (order, (boot, placement)) in zip(stored, placements).enumerated() {
            boots[boot.id] = PlacedBoot(
                board: board, identifier: boot.clock.boot, order: order, placement: placement,
                encounterTimeout: boot.encounterTimeout, position: boot.position)
            let facts = boot.facts(on: placement)
            if facts != boot.storedFacts || touched.boots[boot.id] == .all { moved.insert(boot.id) }
            if moved.contains(boot.id) || touched.boots[boot.id] != nil { changed.append((boot, placement)) }
            try Self.store(placement, facts, of: boot, in: database)
        }
        self.boots = boots
        self.moved = moved
        changedBoots = changed
        let sightings = SightingTable(database: database, touchedTimes: touchedTimes)
        newEncounters = NewEncounters(sightings)
        reader = TrackReader(boardID: boardID, database: database)
        pieces = PieceTable(
            boardID: boardID,
            rowsOfBoots: Dictionary(
                stored.map { ($0.clock.boot, $0.id) }, uniquingKeysWith: { first, _ in first }),
            reach: stored.map(\.encounterTimeout).max() ?? EncounterAssembly.defaultEncounterTimeout,
            database: database, sightings: sightings, newEncounters: newEncounters)
    }

    private static func store(
        _ placement: BootPlacement, _ facts: Data, of boot: StoredBoot, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO placement (bootID, \(BootMoments.columns), basis,
                    usedAnchorCount, rejectedAnchorCount, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(
            arguments: [
                boot.id, boot.moments.recorded?.lowerBound, boot.moments.recorded?.upperBound,
                boot.moments.heard?.lowerBound, boot.moments.heard?.upperBound,
                placement.basis.rawValue, placement.usedAnchorCount, placement.rejectedAnchorCount, facts,
            ])
    }

    func update() throws {
        var tracks = touched.boots.compactMapValues { tracks in
            if case .numbers(let numbers) = tracks { numbers } else { nil }
        }
        if touched.hasIdentifications {
            for (boot, numbers) in try tracksWithLostIdentities() {
                tracks[boot, default: []].formUnion(numbers)
            }
        }
        for boot in moved { tracks[boot] = nil }
        let loose = try removeEncounters(of: tracks)
        try forEachPortion(of: tracks) { numbers, boot in
            try join(try reader.tracks(numbers, ofBoot: boot).flatMap { pieces(of: $0, ofBoot: boot) })
        }
        try join(load(loose))
        try newEncounters.finish()
    }

    // MARK: Tracks

    /// Calls `body` with some tracks of one boot at a time, boots in log order and tracks by their numbers.
    private func forEachPortion(
        of tracks: [Int64: Set<UInt32>], _ body: ([UInt32], Int64) throws -> Void
    ) throws {
        for (boot, _) in boots.sorted(by: { $0.value.order < $1.value.order }) {
            if moved.contains(boot) {
                var last: UInt32?
                while case let numbers = try reader.numbers(ofBoot: boot, after: last), !numbers.isEmpty {
                    try body(numbers, boot)
                    last = numbers.last
                }
            } else if let numbers = tracks[boot] {
                try TrackReader.forEachPortion(of: numbers) { try body($0, boot) }
            }
        }
    }

    /// The tracks whose identities may be known now, by boot.
    private func tracksWithLostIdentities() throws -> [Int64: Set<UInt32>] {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT bootID, number
                    FROM identification JOIN track ON track.id = trackID JOIN boot ON boot.id = bootID
                    WHERE isLost AND boardID = ?
                    """), arguments: [boardID])
        return rows.reduce(into: [:]) { $0[$1["bootID"] as Int64, default: []].insert($1["number"]) }
    }

    private func pieces(of track: RecordedTrack, ofBoot boot: Int64) -> [EncounterPiece] {
        guard let placed = boots[boot] else { return [] }
        return EncounterPiece.pieces(of: track, in: placed).map { $0.summarised() }
    }

    /// The stored pieces, made anew from their tracks.
    private func load(_ parts: [PieceTable.Part]) throws -> [EncounterPiece] {
        var loaded: [EncounterPiece] = []
        for (boot, parts) in Dictionary(grouping: parts, by: \.boot) {
            let wanted = Set(parts)
            try TrackReader.forEachPortion(of: Set(parts.map(\.track))) { numbers in
                for track in try reader.tracks(numbers, ofBoot: boot) {
                    loaded += pieces(of: track, ofBoot: boot).filter { piece in
                        wanted.contains(
                            PieceTable.Part(boot: boot, track: track.number, place: piece.source.number))
                    }
                }
            }
        }
        return loaded
    }

    // MARK: Encounters

    /// Removes the encounters with pieces of touched tracks.
    ///
    /// - Returns: their pieces of other tracks.
    private func removeEncounters(of tracks: [Int64: Set<UInt32>]) throws -> [PieceTable.Part] {
        var loose: [PieceTable.Part] = []
        guard try pieces.hasEncounters else { return [] }
        try forEachPortion(of: tracks) { numbers, boot in
            loose += try pieces.remove(pieces.encounters(of: numbers, ofBoot: boot)).filter { part in
                !moved.contains(part.boot) && tracks[part.boot]?.contains(part.track) != true
            }
        }
        return loose
    }

    /// Joins pieces with each other and with stored encounters, and stores the result.
    private func join(_ new: [EncounterPiece]) throws {
        for (key, group) in Dictionary(grouping: new, by: \.key) {
            var group = group
            if !key.isAlone {
                while case let near = try pieces.encounters(near: group, digest: key.digest), !near.isEmpty {
                    group += try load(pieces.remove(near))
                }
            }
            for joined in EncounterAssembly.join(group) { try pieces.insert(joined) }
        }
    }
}

extension EncounterKey {
    fileprivate var isAlone: Bool { if case .alone = self { true } else { false } }
}

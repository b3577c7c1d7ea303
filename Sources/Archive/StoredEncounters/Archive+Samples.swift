import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// These stored encounters with their samples, in the given order. Each one reads only its own tracks.
    public func encounters(_ summaries: [EncounterSummary]) throws(ArchiveError) -> [Encounter] {
        try reading { database in
            let boards = try identitiesOfBoards(in: database)
            var samples: [Int: [Sample<TimelinePoint>]] = [:]
            for (row, board) in boards {
                let chosen = summaries.indices.filter { summaries[$0].board == board }
                guard !chosen.isEmpty else { continue }
                let reader = try SampleReader(boardID: row, board: board, archive: self, database: database)
                for index in chosen { samples[index] = try reader.samples(of: summaries[index]) }
            }
            return summaries.enumerated().map { Encounter($1, samples: samples[$0, default: []]) }
        }
    }
}

extension Archive {
    /// The boots of a board with their places on the wall clock, by row.
    func placedBoots(
        ofBoard boardID: Int64, _ board: LogIdentity, in database: Database
    ) throws -> [Int64: PlacedBoot] {
        let stored = try storedBoots(ofBoard: boardID, changed: [], in: database)
        let placements = BoardClockFit(stored.map(\.clock)).placements()
        return Dictionary(
            zip(stored, placements).enumerated().map { order, boot in
                let (boot, placement) = boot
                return (
                    boot.id,
                    PlacedBoot(
                        board: board, identifier: boot.clock.boot, order: order, placement: placement,
                        encounterTimeout: boot.encounterTimeout, position: boot.position)
                )
            }, uniquingKeysWith: { first, _ in first })
    }
}

/// Reads the samples of single stored encounters of one board.
private struct SampleReader {
    private let boardID: Int64
    private let boots: [Int64: PlacedBoot]
    private let tracks: TrackReader
    private let database: Database

    init(boardID: Int64, board: LogIdentity, archive: Archive, database: Database) throws {
        self.boardID = boardID
        self.database = database
        tracks = TrackReader(boardID: boardID, database: database)
        boots = try archive.placedBoots(ofBoard: boardID, board, in: database)
    }

    /// In order of time; empty for an encounter that is not stored.
    func samples(of encounter: EncounterSummary) throws -> [Sample<TimelinePoint>] {
        var samples: [Sample<TimelinePoint>] = []
        for part in try parts(of: encounter) {
            guard let boot = boots[part.boot] else { continue }
            for track in try tracks.tracks([part.track], ofBoot: part.boot) {
                samples += EncounterPiece.pieces(of: track, in: boot)
                    .filter { $0.source.number == part.place }.flatMap(\.encounter.samples)
            }
        }
        return samples.sorted { $0.start < $1.start }
    }

    /// The pieces of the stored encounter that has these times and this identity.
    private func parts(of encounter: EncounterSummary) throws -> [PieceTable.Part] {
        var boot: Int64?
        if case .sinceStart(let identifier) = encounter.timeline { boot = Int64(bitPattern: identifier) }
        let identity = encounter.identity
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT bootID, track, place FROM encounterPart WHERE encounterID = (
                        SELECT id FROM encounter
                        WHERE boardID = ? AND boot IS ? AND startMilliseconds = ? AND endMilliseconds = ?
                            AND scheme IS ? AND payload IS ? AND marks = ? AND readingCount = ?
                            AND addresses = ?
                        ORDER BY id LIMIT 1)
                    ORDER BY bootID, track, place
                    """),
            arguments: [
                boardID, boot, encounter.start.milliseconds, encounter.end.milliseconds,
                identity?.scheme.rawValue, identity.map { Data($0.lostHash?.bytes ?? $0.payload) },
                encounter.identityMarks.rawValue, encounter.readingCount,
                Data(encounter.addresses.flatMap { $0.bytes + [$0.type] }),
            ])
        return rows.map { PieceTable.Part(boot: $0["bootID"], track: $0["track"], place: $0["place"]) }
    }
}

import GRDB
import LogContents

/// Reads the samples of stored encounters of any board, and their readings if wanted, some hundred encounters
/// at a time.
final class StoredSamples {
    struct Measurements {
        var samples: [Sample<TimelinePoint>] = []
        var readings: [Reading<TimelinePoint>] = []
    }

    private let boards: [Int64: LogIdentity]
    private let archive: Archive
    private let database: Database
    private let withReadings: Bool
    private var readers: [Int64: (boots: [Int64: PlacedBoot], tracks: TrackReader)] = [:]

    init(
        boards: [Int64: LogIdentity], withReadings: Bool = false, archive: Archive, database: Database
    ) {
        self.boards = boards
        self.withReadings = withReadings
        self.archive = archive
        self.database = database
    }

    /// The samples of each encounter, in order of time.
    func samples(
        of encounters: [(number: Int64, boardID: Int64)]
    ) throws -> [Int64: [Sample<TimelinePoint>]] {
        try measurements(of: encounters).mapValues(\.samples)
    }

    /// The samples and readings of each encounter, both in order of time.
    func measurements(
        of encounters: [(number: Int64, boardID: Int64)]
    ) throws -> [Int64: Measurements] {
        let parts = try parts(of: encounters.map(\.number))
        var found: [Int64: Measurements] = [:]
        for (boardID, encounters) in Dictionary(grouping: encounters, by: \.boardID) {
            let reader = try reader(ofBoard: boardID)
            // Which encounter each piece of a track is part of.
            var owners: [Int64: [UInt32: [Int: Int64]]] = [:]
            for encounter in encounters {
                for part in parts[encounter.number, default: []] {
                    owners[part.boot, default: [:]][part.track, default: [:]][part.place] = encounter.number
                }
            }
            for (boot, tracks) in owners {
                guard let placed = reader.boots[boot] else { continue }
                for track in try reader.tracks.tracks(tracks.keys.sorted(), ofBoot: boot) {
                    for piece in EncounterPiece.pieces(of: track, in: placed) {
                        guard let owner = tracks[track.number]?[piece.source.number] else { continue }
                        found[owner, default: Measurements()].samples += piece.encounter.samples
                        found[owner, default: Measurements()].readings += piece.encounter.readings
                    }
                }
            }
        }
        return found.mapValues {
            Measurements(
                samples: $0.samples.sorted { ($0.start, $0.end) < ($1.start, $1.end) },
                readings: $0.readings.sorted { $0.time < $1.time })
        }
    }

    private func parts(of encounters: [Int64]) throws -> [Int64: [PieceTable.Part]] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT encounterID, bootID, track, place FROM encounterPart
                    WHERE encounterID IN (SELECT value FROM json_each(?))
                    """), arguments: [JSONList.text(encounters)])
        var parts: [Int64: [PieceTable.Part]] = [:]
        while let row = try rows.next() {
            parts[row[0] as Int64, default: []].append(
                PieceTable.Part(boot: row[1], track: row[2], place: row[3]))
        }
        return parts
    }

    private func reader(ofBoard boardID: Int64) throws -> (boots: [Int64: PlacedBoot], tracks: TrackReader) {
        if let reader = readers[boardID] { return reader }
        guard let board = boards[boardID] else {
            return ([:], TrackReader(boardID: boardID, withReadings: withReadings, database: database))
        }
        let reader = (
            boots: try archive.placedBoots(ofBoard: boardID, board, in: database),
            tracks: TrackReader(boardID: boardID, withReadings: withReadings, database: database)
        )
        readers[boardID] = reader
        return reader
    }
}

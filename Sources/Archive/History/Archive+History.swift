import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

extension Archive {
    /// The board's log, as far as it was fetched and decoded.
    ///
    /// - Parameters:
    ///   - withReadings: includes every RSSI reading if the board recorded them; there may be many.
    ///   - withTracks: includes the tracks, of which there may be many, too.
    public func history(
        of board: LogIdentity, withReadings: Bool = false, withTracks: Bool = true
    ) throws(ArchiveError) -> BoardHistory {
        try reading { database in
            let identifier = try boardID(board, in: database)
            let name = try String.fetchOne(
                database, sql: "SELECT name FROM board WHERE id = ?", arguments: [identifier])
            let boots = try Row.fetchAll(
                database,
                sql: """
                    SELECT boot.*, \(BootMoments.columns)
                    FROM boot LEFT JOIN placement ON bootID = boot.id WHERE boardID = ?
                    ORDER BY firstSegmentOrdinal, firstByteOffset, bootIdentifier
                    """,
                arguments: [identifier])
            let reader =
                withTracks
                ? TrackReader(boardID: identifier, withReadings: withReadings, database: database) : nil
            return BoardHistory(
                board: board, name: name,
                boots: try boots.map { try boot($0, boardID: identifier, tracks: reader, in: database) },
                holes: try holes(ofBoard: identifier, in: database),
                gaps: try gaps(ofBoard: identifier, in: database))
        }
    }

    /// The encounters of all boards that the filter admits, in order of time.
    public func encounters(
        matching filter: EncounterFilter = .init(), withReadings: Bool = false
    ) throws(ArchiveError) -> [Encounter] {
        var encounters: [Encounter] = []
        for board in try boards() where filter.admits(board: board) {
            let history = try history(of: board.identity, withReadings: withReadings)
            encounters += EncounterAssembly.encounters(of: history).filter(filter.admits)
        }
        return EncounterAssembly.inOrder(encounters)
    }

    private func boot(
        _ row: Row, boardID: Int64, tracks: TrackReader?, in database: Database
    ) throws -> BootHistory {
        let rowID: Int64 = row["id"]
        let identifier: Int64 = row["bootIdentifier"]
        var history = BootHistory(
            identifier: UInt64(bitPattern: identifier), parameters: BootParameters(row: row),
            anchors: try anchors(ofBoot: rowID, identifier: identifier, boardID: boardID, in: database),
            tracks: try tracks?.tracks(ofBoot: rowID) ?? [],
            coverage: try coverage(ofBoot: rowID, in: database),
            radioIncidents: try radioIncidents(ofBoot: rowID, in: database),
            ownIdentities: try ownIdentities(ofBoot: rowID, in: database),
            messages: try messages(ofBoot: rowID, in: database),
            refusedIdentities: try refusedIdentities(ofBoot: rowID, in: database),
            markers: try markers(ofBoot: rowID, in: database),
            batteryReadings: try batteryReadings(ofBoot: rowID, in: database),
            position: GeographicPosition(row: row))
        if tracks == nil { history.moments = BootMoments(row: row) }
        return history
    }

    func anchors(
        ofBoot boot: Int64, identifier: Int64, boardID: Int64, in database: Database
    ) throws -> [Anchor] {
        let logged = try Row.fetchAll(
            database,
            sql: """
                SELECT monotonicMilliseconds, wallClockMilliseconds, errorMilliseconds, source
                    FROM anchor WHERE bootID = ?
                """, arguments: [boot])
        let samples = try Row.fetchAll(
            database,
            sql: "SELECT *, 2 AS source FROM clockReading WHERE boardID = ? AND bootIdentifier = ?",
            arguments: [boardID, identifier])
        let board = try self.identity(ofBoard: boardID, in: database)
        let proven = samples.filter { row in
            let proof: Data? = row["proof"]
            return isProven(proof, clockProof(row, of: board))
        }
        // Samples of another computer cannot contradict what is known, and count only where nothing is.
        let rows = logged + proven
        return (rows.isEmpty ? samples : rows).map { row in
            Anchor(
                instant: row["monotonicMilliseconds"],
                wallClock: row["wallClockMilliseconds"],
                error: row["errorMilliseconds"],
                source: Anchor.Source(rawValue: row["source"]))
        }.sorted { $0.instant < $1.instant }
    }

    private func coverage(ofBoot boot: Int64, in database: Database) throws -> [Coverage] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT * FROM coverage WHERE bootID = ? ORDER BY startMilliseconds",
            arguments: [boot])
        return rows.map { row in
            Coverage(
                start: row["startMilliseconds"], end: row["endMilliseconds"],
                reportCount: row["reportCount"], malformedCount: row["malformedCount"],
                droppedCount: row["droppedCount"], evictedCount: row["evictedCount"],
                timing: scanTiming(row))
        }
    }

    private func scanTiming(_ row: Row) -> ScanTiming? {
        guard let interval: UInt16 = row["scanIntervalSlots"], let window: UInt16 = row["scanWindowSlots"]
        else { return nil }
        return ScanTiming(intervalSlots: interval, windowSlots: window)
    }

    private func radioIncidents(ofBoot boot: Int64, in database: Database) throws -> [RadioIncident] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT * FROM radioIncident WHERE bootID = ? ORDER BY monotonicMilliseconds, rowid",
            arguments: [boot])
        return rows.map { row in
            RadioIncident(
                instant: row["monotonicMilliseconds"],
                event: RadioEvent(rawValue: row["event"]), fault: RadioFaultKind(rawValue: row["fault"]),
                rung: RecoveryRung(rawValue: row["rung"]), detail: row["detail"])
        }
    }
}

extension BootParameters {
    /// Nil if no boot entry was decoded; all its columns are null then.
    init?(row: Row) {
        guard let start: Instant = row["startMilliseconds"] else { return nil }
        self.init(
            start: start, softwareVersion: row["softwareVersion"] ?? "",
            sampleLength: row["sampleMilliseconds"] ?? .zero,
            encounterTimeout: row["gapMilliseconds"] ?? .zero,
            lossWindow: row["lossWindowMilliseconds"] ?? .zero, role: row["role"] ?? 0)
    }
}

extension GeographicPosition {
    /// Nil if the configuration sets no position, or its entry was not decoded.
    init?(row: Row) {
        guard let latitude: Int32 = row["latitudeMicrodegrees"],
            let longitude: Int32 = row["longitudeMicrodegrees"]
        else { return nil }
        self.init(latitudeMicrodegrees: latitude, longitudeMicrodegrees: longitude)
    }
}

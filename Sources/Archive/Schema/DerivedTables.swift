import GRDB

/// The tables that ``PageImporter`` fills from the evidence. They carry the version of the decoder that
/// filled them. If it is not this program's, a command that may write drops them and decodes all pages again.
enum DerivedTables {
    /// Increase it with every change of these tables, or of their contents. A later version must leave
    /// `page.sealedFor` and `page.isLocked` as they are, because ``missingKeys(_:in:)`` reads the earlier
    /// table.
    static let decoderVersion = 9

    /// Creates the empty tables.
    static func create(in database: Database) throws {
        try database.execute(sql: definitions)
        try database.execute(sql: "INSERT INTO decoder (version) VALUES (?)", arguments: [decoderVersion])
    }

    /// Creates the empty tables for this connection alone, and changes nothing in the file. SQLite looks for
    /// a name among the temporary tables first. A temporary table cannot refer to a table of the file.
    static func createTemporary(in database: Database) throws {
        let definitions = definitions.replacing("CREATE TABLE", with: "CREATE TEMPORARY TABLE")
            .replacing("CREATE INDEX ", with: "CREATE INDEX temp.")
            .replacing("REFERENCES board ON DELETE CASCADE", with: "")
            .replacing("REFERENCES segment ON DELETE CASCADE", with: "")
        try database.execute(sql: definitions)
        try database.execute(sql: "INSERT INTO decoder (version) VALUES (?)", arguments: [decoderVersion])
    }

    private static var definitions: String {
        logTables + trackTables + peerTables + radioTables + boardTables + EncounterTables.definitions
            + ContactTables.definitions + PresenceTables.definitions
    }

    /// Drops the tables, whichever of them this archive has.
    static func drop(in database: Database) throws {
        for table in tables.reversed() { try database.execute(sql: "DROP TABLE IF EXISTS \(table)") }
    }

    /// The version of the decoder that filled the tables; nil if there are none.
    static func recordedVersion(in database: Database) throws -> Int? {
        guard try database.tableExists("decoder") else { return nil }
        return try Int.fetchOne(database, sql: "SELECT version FROM decoder")
    }

    /// Whether the tables are there, and this program's decoder filled them.
    static func areCurrent(in database: Database) throws -> Bool {
        try recordedVersion(in: database) == decoderVersion
    }

    /// The tables, each after the tables that it refers to.
    static let tables =
        [
            "decoder", "judgement", "page", "boot", "anchor", "gap", "track", "identification", "sample",
            "peerDetail",
            "reading",
            "coverage", "peerMessage", "ownIdentity", "refusedIdentity", "radioIncident", "marker", "battery",
        ] + conclusions

    /// The tables that are made of the others, which only have what a page says.
    static let conclusions = EncounterTables.names + ContactTables.names + PresenceTables.names

    /// `page`: `isLocked`: the page is encrypted and no key was at hand. `sealedFor`: the fingerprint of the
    /// owner key; null for a plaintext page. `latestMilliseconds`: the latest time in the page. `standing`: a
    /// ``PageStanding``; null where no page can be read.
    ///
    /// `judgement`: what the standings of a board's pages rest on: the numbers of keys and manifests, the
    /// branch, and the segment with the newest signed end of the log.
    ///
    /// `boot`: the configured position is in WGS 84; null if the configuration has none.
    ///
    /// `gap`: an erased range of segments from `firstSegmentOrdinal` on. `cause`: 1 no room, 2 command, 3
    /// age. `knowledge` of the erased content: 0 nothing, 1 all, 3 a lower bound.
    private static let logTables = """
        CREATE TABLE decoder (version INTEGER NOT NULL) STRICT;
        CREATE TABLE page (
            segmentID INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
            byteOffset INTEGER NOT NULL,
            byteCount INTEGER NOT NULL,
            sequence INTEGER,
            bootIdentifier INTEGER,
            entryCount INTEGER NOT NULL,
            isLocked INTEGER NOT NULL,
            damage TEXT,
            sealedFor BLOB CHECK (length(sealedFor) = 16),
            latestMilliseconds INTEGER,
            standing INTEGER,
            PRIMARY KEY (segmentID, byteOffset)
        ) STRICT;
        CREATE INDEX lockedPage ON page (segmentID, sealedFor) WHERE \(LockedPages.condition);
        CREATE INDEX unprovenPage ON page (segmentID, standing) WHERE \(LeftOutPages.condition);
        CREATE TABLE judgement (
            boardID INTEGER PRIMARY KEY REFERENCES board ON DELETE CASCADE,
            keyCount INTEGER NOT NULL,
            manifestCount INTEGER NOT NULL,
            branch INTEGER NOT NULL,
            signedOrdinal INTEGER
        ) STRICT;
        CREATE TABLE boot (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            bootIdentifier INTEGER NOT NULL,
            firstSegmentOrdinal INTEGER NOT NULL,
            firstByteOffset INTEGER NOT NULL,
            startMilliseconds INTEGER,
            softwareVersion TEXT,
            sampleMilliseconds INTEGER,
            gapMilliseconds INTEGER,
            lossWindowMilliseconds INTEGER,
            role INTEGER,
            latitudeMicrodegrees INTEGER,
            longitudeMicrodegrees INTEGER,
            UNIQUE (boardID, bootIdentifier)
        ) STRICT;
        CREATE TABLE anchor (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            wallClockMilliseconds INTEGER NOT NULL,
            errorMilliseconds INTEGER NOT NULL,
            source INTEGER NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds, wallClockMilliseconds)
        ) STRICT;
        CREATE TABLE gap (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            cause INTEGER NOT NULL,
            isAcknowledged INTEGER NOT NULL,
            firstSegmentOrdinal INTEGER NOT NULL,
            segmentCount INTEGER NOT NULL,
            byteCount INTEGER NOT NULL,
            knowledge INTEGER NOT NULL,
            entryCount INTEGER NOT NULL,
            firstBootIdentifier INTEGER NOT NULL,
            firstMilliseconds INTEGER NOT NULL,
            lastBootIdentifier INTEGER NOT NULL,
            lastMilliseconds INTEGER NOT NULL,
            PRIMARY KEY (bootID, firstSegmentOrdinal, monotonicMilliseconds)
        ) STRICT;
        """

    /// `identification`: one track may have several at the same moment. `marks`: ``IdentityMarks``. If
    /// `isLost` is set, `payload` holds the first bytes of the identity's hash.
    private static let trackTables = """
        CREATE TABLE track (
            id INTEGER PRIMARY KEY,
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            number INTEGER NOT NULL,
            firstSightingMilliseconds INTEGER,
            address BLOB,
            addressType INTEGER,
            hint INTEGER,
            lastReadingMilliseconds INTEGER,
            readingCount INTEGER,
            UNIQUE (bootID, number)
        ) STRICT;
        CREATE TABLE identification (
            trackID INTEGER NOT NULL REFERENCES track ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            scheme INTEGER NOT NULL,
            payload BLOB NOT NULL,
            marks INTEGER NOT NULL,
            isLost INTEGER NOT NULL DEFAULT FALSE,
            PRIMARY KEY (trackID, monotonicMilliseconds, scheme, payload, marks)
        ) STRICT;
        CREATE TABLE sample (
            trackID INTEGER NOT NULL REFERENCES track ON DELETE CASCADE,
            startMilliseconds INTEGER NOT NULL,
            endMilliseconds INTEGER NOT NULL,
            readingCount INTEGER NOT NULL,
            minimumDBm INTEGER NOT NULL,
            maximumDBm INTEGER NOT NULL,
            meanTenthsDBm INTEGER NOT NULL,
            txPowerDBm INTEGER,
            PRIMARY KEY (trackID, startMilliseconds)
        ) STRICT;
        """

    /// `reading`: `place` is the reading's index in its entry, because several may share one millisecond.
    ///
    /// `peerMessage`, `refusedIdentity`: `track` is the track's number, or 0 without one.
    /// `peerMessage`: `kind` is 1 for an immediate message, 2 for shared payloads.
    /// `refusedIdentity`: `reason` is an ``IdentityRefusal``.
    private static let peerTables = """
        CREATE TABLE peerDetail (
            trackID INTEGER NOT NULL REFERENCES track ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            value BLOB NOT NULL,
            PRIMARY KEY (trackID, monotonicMilliseconds, kind, value)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE reading (
            trackID INTEGER NOT NULL REFERENCES track ON DELETE CASCADE,
            entryMilliseconds INTEGER NOT NULL,
            place INTEGER NOT NULL,
            monotonicMilliseconds INTEGER NOT NULL,
            rssiDBm INTEGER NOT NULL,
            PRIMARY KEY (trackID, entryMilliseconds, place)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE peerMessage (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            track INTEGER NOT NULL,
            monotonicMilliseconds INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            rssiDBm INTEGER,
            bytes BLOB NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds, track, kind, bytes)
        ) STRICT;
        CREATE TABLE refusedIdentity (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            track INTEGER NOT NULL,
            monotonicMilliseconds INTEGER NOT NULL,
            scheme INTEGER NOT NULL,
            reason INTEGER NOT NULL,
            marks INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds, track, scheme, reason, marks, bytes)
        ) STRICT;
        """

    /// `ownIdentity`: an empty payload means that the board served no identity from that time on.
    private static let radioTables = """
        CREATE TABLE coverage (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            startMilliseconds INTEGER NOT NULL,
            endMilliseconds INTEGER NOT NULL,
            reportCount INTEGER NOT NULL,
            malformedCount INTEGER NOT NULL,
            droppedCount INTEGER NOT NULL,
            evictedCount INTEGER NOT NULL,
            scanIntervalSlots INTEGER,
            scanWindowSlots INTEGER,
            PRIMARY KEY (bootID, startMilliseconds)
        ) STRICT;
        CREATE TABLE ownIdentity (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            address BLOB NOT NULL,
            addressType INTEGER NOT NULL,
            scheme INTEGER NOT NULL,
            payload BLOB NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds, payload)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE radioIncident (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            event INTEGER NOT NULL,
            fault INTEGER NOT NULL,
            rung INTEGER NOT NULL,
            detail INTEGER NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds, event, fault, rung, detail)
        ) STRICT;
        """

    /// `marker`: a moment that the wearer marked. `origin` is a ``MarkerOrigin``.
    ///
    /// `battery`: `state` is a ``BatteryState``.
    private static let boardTables = """
        CREATE TABLE marker (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            origin INTEGER NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds, origin)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE battery (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            percent INTEGER,
            millivolts INTEGER,
            state INTEGER NOT NULL,
            isLow INTEGER NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds)
        ) STRICT, WITHOUT ROWID;
        """
}

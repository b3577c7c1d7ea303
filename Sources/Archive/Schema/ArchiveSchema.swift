import GRDB

/// The tables, as a chain of migrations. A migration that has shipped is never edited: add another.
///
/// The evidence is only ever appended to: raw bytes (`segment`, `chunk`), clock samples of this computer and
/// the board (`clockReading`), and signed statements of boards (`manifest`). ``PageImporter`` derives every
/// other table and can rebuild it. The exception is `ownKey`: keys that boards generated outlast the pages
/// that recorded them.
///
/// Times are milliseconds of the board's monotonic clock; columns with `wallClock` in their name count from
/// 1970 UTC. Unsigned 64-bit identifiers are stored by bit pattern.
enum ArchiveSchema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: boards, raw segments, decoded entries") { database in
            try database.execute(sql: rawTables)
            try database.execute(sql: decodedTables)
        }
        migrator.registerMigration("2: what befell the radio") { database in
            try database.execute(sql: radioTable)
            // Pages that were decoded before this table existed are decoded again, because they may contain
            // radio entries.
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("3: every reading, and what else is known of peers") { database in
            try database.execute(sql: peerTables)
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("4: who the board was") { database in
            try database.execute(sql: ownIdentityTable)
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("5: what devices wrote to boards") { database in
            try database.execute(sql: messageTable)
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("6: what boards no longer have") { database in
            try database.execute(sql: retentionTable)
        }
        migrator.registerMigration("7: boards' keys") { database in
            try database.execute(sql: boardKeyTable)
        }
        migrator.registerMigration("8: pages within blocks") { database in
            try database.execute(sql: blockColumns)
            try database.execute(sql: pageTable)
        }
        migrator.registerMigration("9: what boards said of their logs, signed") { database in
            try database.execute(sql: manifestTable)
        }
        migrator.registerMigration("10: what pages are sealed for") { database in
            try database.execute(sql: sealColumns)
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("11: keys that boards had before") { database in
            try database.execute(sql: boardKeyHistory)
        }
        migrator.registerMigration("12: what boards have erased") { database in
            try database.execute(sql: gapTable)
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("13: what was forgotten") { database in
            try database.execute(sql: forgottenTable)
        }
        migrator.registerMigration("14: identities of several schemes at once") { database in
            try database.execute(sql: identificationTable)
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("15: identities that are lost") { database in
            try database.execute(sql: lostIdentityColumn)
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("16: pages that lost entries on purpose") { database in
            try database.execute(sql: redactionTables)
        }
        migrator.registerMigration("17: keys that boards have made themselves") { database in
            try database.execute(sql: ownKeyTable)
            try database.execute(sql: "DELETE FROM page")
        }
        migrator.registerMigration("18: identities that were refused, and where boards are") { database in
            try database.execute(sql: refusedIdentityTable)
            try database.execute(sql: positionColumns)
            try database.execute(sql: "DELETE FROM page")
        }
        return migrator
    }

    private static let rawTables = """
        CREATE TABLE board (
            id INTEGER PRIMARY KEY,
            logIdentity BLOB NOT NULL UNIQUE CHECK (length(logIdentity) = 16),
            name TEXT,
            pageByteCount INTEGER NOT NULL,
            lastSyncWallClockMilliseconds INTEGER
        ) STRICT;
        CREATE TABLE segment (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            ordinal INTEGER NOT NULL,
            isClosed INTEGER NOT NULL DEFAULT 0,
            isVerified INTEGER NOT NULL DEFAULT 0,
            UNIQUE (boardID, ordinal)
        ) STRICT;
        CREATE TABLE chunk (
            segmentID INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
            byteOffset INTEGER NOT NULL,
            bytes BLOB NOT NULL,
            PRIMARY KEY (segmentID, byteOffset)
        ) STRICT;
        CREATE TABLE clockReading (
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            bootIdentifier INTEGER NOT NULL,
            monotonicMilliseconds INTEGER NOT NULL,
            wallClockMilliseconds INTEGER NOT NULL,
            errorMilliseconds INTEGER NOT NULL,
            PRIMARY KEY (boardID, bootIdentifier, monotonicMilliseconds)
        ) STRICT;
        """

    private static let decodedTables = """
        CREATE TABLE page (
            segmentID INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
            pageIndex INTEGER NOT NULL,
            sequence INTEGER,
            bootIdentifier INTEGER,
            entryCount INTEGER NOT NULL,
            damage TEXT,
            PRIMARY KEY (segmentID, pageIndex)
        ) STRICT;
        CREATE TABLE boot (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            bootIdentifier INTEGER NOT NULL,
            firstSegmentOrdinal INTEGER NOT NULL,
            firstPageIndex INTEGER NOT NULL,
            startMilliseconds INTEGER,
            softwareVersion TEXT,
            sampleMilliseconds INTEGER,
            gapMilliseconds INTEGER,
            lossWindowMilliseconds INTEGER,
            role INTEGER,
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
            PRIMARY KEY (trackID, monotonicMilliseconds)
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
        CREATE TABLE coverage (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            startMilliseconds INTEGER NOT NULL,
            endMilliseconds INTEGER NOT NULL,
            reportCount INTEGER NOT NULL,
            malformedCount INTEGER NOT NULL,
            droppedCount INTEGER NOT NULL,
            evictedCount INTEGER NOT NULL,
            PRIMARY KEY (bootID, startMilliseconds)
        ) STRICT;
        """

    /// `track`: the track's number, or 0 without one. `reason`: ``IdentityRefusal``.
    private static let refusedIdentityTable = """
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

    /// The configured position, WGS 84; null if the configuration has none.
    private static let positionColumns = """
        ALTER TABLE boot ADD COLUMN latitudeMicrodegrees INTEGER;
        ALTER TABLE boot ADD COLUMN longitudeMicrodegrees INTEGER;
        """

    /// One track may have several identifications at the same moment. `marks`: ``IdentityMarks``.
    private static let identificationTable = """
        ALTER TABLE identification RENAME TO formerIdentification;
        CREATE TABLE identification (
            trackID INTEGER NOT NULL REFERENCES track ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            scheme INTEGER NOT NULL,
            payload BLOB NOT NULL,
            marks INTEGER NOT NULL,
            PRIMARY KEY (trackID, monotonicMilliseconds, scheme, payload, marks)
        ) STRICT;
        INSERT INTO identification
            SELECT trackID, monotonicMilliseconds, scheme, payload, 0 FROM formerIdentification;
        DROP TABLE formerIdentification;
        """

    /// `place`: the reading's index in its entry, because several readings may share one millisecond.
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
        """

    private static let blockColumns = """
        ALTER TABLE board RENAME COLUMN pageByteCount TO blockByteCount;
        ALTER TABLE board ADD COLUMN unitByteCount INTEGER;
        ALTER TABLE boot RENAME COLUMN firstPageIndex TO firstByteOffset;
        """

    /// `isClosed`: the page is locked, so it is encrypted and no key was at hand.
    private static let pageTable = """
        DROP TABLE page;
        CREATE TABLE page (
            segmentID INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
            byteOffset INTEGER NOT NULL,
            byteCount INTEGER NOT NULL,
            sequence INTEGER,
            bootIdentifier INTEGER,
            entryCount INTEGER NOT NULL,
            isClosed INTEGER NOT NULL,
            damage TEXT,
            PRIMARY KEY (segmentID, byteOffset)
        ) STRICT;
        """

    /// `sealedFor`: the fingerprint of the owner key; null for a plaintext page. `latestMilliseconds`: the
    /// latest time in the page.
    private static let sealColumns = """
        ALTER TABLE page ADD COLUMN sealedFor BLOB CHECK (length(sealedFor) = 16);
        ALTER TABLE page ADD COLUMN latestMilliseconds INTEGER;
        """

    /// An empty payload means that the board served no identity from that time on.
    private static let ownIdentityTable = """
        CREATE TABLE ownIdentity (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            monotonicMilliseconds INTEGER NOT NULL,
            address BLOB NOT NULL,
            addressType INTEGER NOT NULL,
            scheme INTEGER NOT NULL,
            payload BLOB NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds, payload)
        ) STRICT, WITHOUT ROWID;
        """

    /// `track`: the track's number, or 0 without one. `kind`: 1 immediate message, 2 shared payloads.
    private static let messageTable = """
        CREATE TABLE peerMessage (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            track INTEGER NOT NULL,
            monotonicMilliseconds INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            rssiDBm INTEGER,
            bytes BLOB NOT NULL,
            PRIMARY KEY (bootID, monotonicMilliseconds, track, kind, bytes)
        ) STRICT;
        """

    /// The keys that the board reported when it was provisioned or its keys were changed: its own public key
    /// (X9.63, 65 bytes) and the fingerprints of the others.
    private static let boardKeyTable = """
        CREATE TABLE boardKey (
            boardID INTEGER PRIMARY KEY REFERENCES board ON DELETE CASCADE,
            publicKey BLOB NOT NULL CHECK (length(publicKey) = 65),
            openingFingerprint BLOB CHECK (length(openingFingerprint) = 16),
            operatorFingerprint BLOB CHECK (length(operatorFingerprint) = 16)
        ) STRICT;
        """

    /// All keys of a board, in the order in which they came into force. `isVouched`: the board's first key,
    /// or the one it presented while it was provisioned from this computer. The signer of a stored manifest
    /// held the key in force at that time.
    private static let boardKeyHistory = """
        ALTER TABLE boardKey RENAME TO lastBoardKey;
        CREATE TABLE boardKey (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            publicKey BLOB NOT NULL CHECK (length(publicKey) = 65),
            openingFingerprint BLOB CHECK (length(openingFingerprint) = 16),
            operatorFingerprint BLOB CHECK (length(operatorFingerprint) = 16),
            isVouched INTEGER NOT NULL,
            shownWallClockMilliseconds INTEGER
        ) STRICT;
        INSERT INTO boardKey (boardID, publicKey, isVouched, shownWallClockMilliseconds)
            SELECT boardID, publicKey, 1, min(receivedWallClockMilliseconds) FROM manifest
            WHERE (boardID, publicKey) NOT IN (SELECT boardID, publicKey FROM lastBoardKey)
            GROUP BY boardID, publicKey ORDER BY min(rowid);
        INSERT INTO boardKey (boardID, publicKey, openingFingerprint, operatorFingerprint, isVouched,
                shownWallClockMilliseconds)
            SELECT boardID, publicKey, openingFingerprint, operatorFingerprint, 1,
                (SELECT min(receivedWallClockMilliseconds) FROM manifest
                    WHERE manifest.boardID = lastBoardKey.boardID AND manifest.publicKey = lastBoardKey.publicKey)
            FROM lastBoardKey;
        DROP TABLE lastBoardKey;
        """

    /// Erased ranges: segments from `firstSegmentOrdinal` on. `cause`: 1 no room, 2 command, 3 age.
    /// `knowledge` of the erased content: 0 nothing, 1 all, 3 a lower bound.
    private static let gapTable = """
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

    /// If `isLost` is set, `payload` holds the first bytes of the identity's hash.
    private static let lostIdentityColumn = """
        ALTER TABLE identification ADD COLUMN isLost INTEGER NOT NULL DEFAULT FALSE
        """

    /// The operator had all segments before `beforeOrdinal` forgotten.
    private static let forgottenTable = """
        CREATE TABLE forgotten (
            boardID INTEGER PRIMARY KEY REFERENCES board ON DELETE CASCADE,
            beforeOrdinal INTEGER NOT NULL,
            wallClockMilliseconds INTEGER NOT NULL
        ) STRICT;
        """

    /// The statement byte for byte, with the signing board's public key (X9.63), so that anybody can check it
    /// at any time.
    private static let manifestTable = """
        CREATE TABLE manifest (
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            receivedWallClockMilliseconds INTEGER NOT NULL,
            statement BLOB NOT NULL,
            signature BLOB NOT NULL CHECK (length(signature) = 64),
            publicKey BLOB NOT NULL CHECK (length(publicKey) = 65),
            PRIMARY KEY (boardID, statement, signature)
        ) STRICT;
        """

    /// That boot of the agent reported that the board had no segments before `oldestOrdinal`.
    private static let retentionTable = """
        CREATE TABLE retention (
            boardID INTEGER PRIMARY KEY REFERENCES board ON DELETE CASCADE,
            bootIdentifier INTEGER NOT NULL,
            oldestOrdinal INTEGER NOT NULL
        ) STRICT;
        """

    private static let radioTable = """
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
}

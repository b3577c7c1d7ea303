import GRDB

/// The tables of evidence: what was fetched, and what cannot be derived from it. Its number is the last of
/// its migrations: ``DatabaseMigrator`` records their names in the archive.
///
/// The evidence is only ever appended to, until the operator forgets a part of it. It has raw bytes
/// (`segment`, `chunk`), clock samples of this computer and the board (`clockReading`), and signed statements
/// of boards (`manifest`). ``DerivedTables`` holds everything that can be decoded again. `ownKey` is decoded
/// too, but stays here: a key that a board generated outlasts the pages that recorded it.
///
/// Times are milliseconds of the board's monotonic clock; columns with `wallClock` in their name count from
/// 1970 UTC. Unsigned 64-bit identifiers are stored by bit pattern.
enum EvidenceSchema {
    /// A migration that was released is never edited: add another.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("evidence 1") { database in
            try database.execute(sql: boardTables + logTables + forgettingTables)
        }
        migrator.registerMigration("evidence 2") { try $0.execute(sql: quarantineAndBranches) }
        migrator.registerMigration("evidence 3") { try $0.execute(sql: proofs) }
        migrator.registerMigration("evidence 4") { try $0.execute(sql: labels) }
        migrator.registerMigration("evidence 5") { try $0.execute(sql: models) }
        return migrator
    }

    /// The tables, each after the tables that it refers to.
    static let tables = [
        "board", "boardKey", "branch", "segment", "chunk", "clockReading", "manifest", "retention",
        "forgotten", "redaction", "redactedPage", "ownKey", "person",
    ]

    static let tablesWithoutRowNumbers: Set = ["branch", "redactedPage", "ownKey", "person"]

    /// `boardKey`: all keys of a board, in the order in which it first used them: its own public key
    /// (X9.63, 65 bytes) and the fingerprints of the others, as the board reported them. `isVouched`: the
    /// board's first key, or the one that it presented while it was provisioned from this computer.
    ///
    /// `ownKey`: `firstPeriod` counts units of ten minutes since 1970 for Exposure Notification, otherwise
    /// days. `bootIdentifier`: the boot that logged the key; it may be forgotten while the key is in use.
    private static let boardTables = """
        CREATE TABLE board (
            id INTEGER PRIMARY KEY,
            logIdentity BLOB NOT NULL UNIQUE CHECK (length(logIdentity) = 16),
            name TEXT,
            blockByteCount INTEGER NOT NULL,
            unitByteCount INTEGER NOT NULL,
            lastSyncWallClockMilliseconds INTEGER
        ) STRICT;
        CREATE TABLE boardKey (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            publicKey BLOB NOT NULL CHECK (length(publicKey) = 65),
            ownerFingerprint BLOB CHECK (length(ownerFingerprint) = 16),
            operatorFingerprint BLOB CHECK (length(operatorFingerprint) = 16),
            isVouched INTEGER NOT NULL,
            shownWallClockMilliseconds INTEGER
        ) STRICT;
        CREATE TABLE ownKey (
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            scheme INTEGER NOT NULL,
            firstPeriod INTEGER NOT NULL,
            periodCount INTEGER NOT NULL,
            key BLOB NOT NULL,
            bootIdentifier INTEGER NOT NULL,
            monotonicMilliseconds INTEGER NOT NULL,
            PRIMARY KEY (boardID, scheme, firstPeriod, periodCount, key)
        ) STRICT, WITHOUT ROWID;
        """

    /// `segment`: `isComplete`: the board adds nothing to it, and its chain was checked. `isVerified`: the
    /// board's hash of it matched; if it is complete, its pages also chained to the end of the log, or were
    /// compared again. `changedByteCount`: the length of the prefix that no longer equals the board's bytes.
    ///
    /// `manifest`: the statement byte for byte, with the signing board's public key (X9.63), so that anybody
    /// can check it at any time.
    ///
    /// `retention`: that boot of the agent reported that the board had no segments before `oldestOrdinal`.
    private static let logTables = """
        CREATE TABLE segment (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            ordinal INTEGER NOT NULL,
            isComplete INTEGER NOT NULL DEFAULT FALSE,
            isVerified INTEGER NOT NULL DEFAULT FALSE,
            changedByteCount INTEGER NOT NULL DEFAULT 0,
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
        CREATE TABLE manifest (
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            receivedWallClockMilliseconds INTEGER NOT NULL,
            statement BLOB NOT NULL,
            signature BLOB NOT NULL CHECK (length(signature) = 64),
            publicKey BLOB NOT NULL CHECK (length(publicKey) = 65),
            PRIMARY KEY (boardID, statement, signature)
        ) STRICT;
        CREATE TABLE retention (
            boardID INTEGER PRIMARY KEY REFERENCES board ON DELETE CASCADE,
            bootIdentifier INTEGER NOT NULL,
            oldestOrdinal INTEGER NOT NULL
        ) STRICT;
        """

    /// `forgotten`: the operator has forgotten all segments before `beforeOrdinal`.
    ///
    /// `redaction`: one run in which contacts were removed. `schemes`: the schemes whose retention time was
    /// over; null if the operator forgot one person.
    ///
    /// `redactedPage`: the stored rest of a page besides its first bytes. It holds the chain value after the
    /// page, the remaining entries, and identities that other pages refer to, both encoded as in pages.
    private static let forgettingTables = """
        CREATE TABLE forgotten (
            boardID INTEGER PRIMARY KEY REFERENCES board ON DELETE CASCADE,
            beforeOrdinal INTEGER NOT NULL,
            wallClockMilliseconds INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE redaction (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            wallClockMilliseconds INTEGER NOT NULL,
            schemes TEXT
        ) STRICT;
        CREATE TABLE redactedPage (
            segmentID INTEGER NOT NULL REFERENCES segment ON DELETE CASCADE,
            byteOffset INTEGER NOT NULL,
            redactionID INTEGER NOT NULL REFERENCES redaction ON DELETE CASCADE,
            chainValue BLOB NOT NULL CHECK (length(chainValue) = 16),
            entries BLOB NOT NULL,
            identities BLOB NOT NULL,
            PRIMARY KEY (segmentID, byteOffset)
        ) STRICT, WITHOUT ROWID;
        """

    /// `board`: `claimedIdentity`: the log identity that an untrusted board claims; its `logIdentity` is then
    /// a hash of that and its key. Null for a trusted board. `currentBranch`: the branch that the board
    /// served last.
    ///
    /// `branch`: a board served segments from `firstOrdinal` on that differ from those in branch `parent`.
    /// Branch 0 has no row. `segment.branch`: the branch that has this version of the segment.
    private static let quarantineAndBranches = """
        ALTER TABLE board ADD COLUMN claimedIdentity BLOB CHECK (length(claimedIdentity) = 16);
        ALTER TABLE board ADD COLUMN currentBranch INTEGER NOT NULL DEFAULT 0;
        CREATE TABLE branch (
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            number INTEGER NOT NULL CHECK (number > 0),
            parent INTEGER NOT NULL CHECK (parent < number),
            firstOrdinal INTEGER NOT NULL,
            foundWallClockMilliseconds INTEGER NOT NULL,
            PRIMARY KEY (boardID, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE branchedSegment (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            ordinal INTEGER NOT NULL,
            branch INTEGER NOT NULL DEFAULT 0,
            isComplete INTEGER NOT NULL DEFAULT FALSE,
            isVerified INTEGER NOT NULL DEFAULT FALSE,
            changedByteCount INTEGER NOT NULL DEFAULT 0,
            UNIQUE (boardID, ordinal, branch)
        ) STRICT;
        INSERT INTO branchedSegment (id, boardID, ordinal, isComplete, isVerified, changedByteCount)
            SELECT id, boardID, ordinal, isComplete, isVerified, changedByteCount FROM segment ORDER BY id;
        DROP TABLE segment;
        ALTER TABLE branchedSegment RENAME TO segment;
        """

    /// `proof`: a code over the row under a secret of the computer that made it (``RowProof``); null for a
    /// row of an earlier version.
    private static let proofs = """
        ALTER TABLE clockReading ADD COLUMN proof BLOB;
        ALTER TABLE forgotten ADD COLUMN proof BLOB;
        ALTER TABLE redactedPage ADD COLUMN proof BLOB;
        ALTER TABLE ownKey ADD COLUMN proof BLOB;
        """

    /// `board`, `person`: what the operator says of a board, and of an identity of no board (``Label``).
    /// `identity`: the part of its payload that names somebody. `retired...`: since when the board is out
    /// of service.
    private static let labels = """
        ALTER TABLE board ADD COLUMN groupName TEXT;
        ALTER TABLE board ADD COLUMN ageYears INTEGER;
        ALTER TABLE board ADD COLUMN sex TEXT;
        ALTER TABLE board ADD COLUMN retiredWallClockMilliseconds INTEGER;
        CREATE TABLE person (
            scheme INTEGER NOT NULL,
            identity BLOB NOT NULL,
            name TEXT,
            groupName TEXT,
            ageYears INTEGER,
            sex TEXT,
            PRIMARY KEY (scheme, identity)
        ) STRICT, WITHOUT ROWID;
        """

    /// `model`: of the device, as walk tests name it.
    private static let models = """
        ALTER TABLE board ADD COLUMN model TEXT;
        ALTER TABLE person ADD COLUMN model TEXT;
        """
}

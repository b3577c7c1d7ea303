import GRDB

/// The tables of version 0.1, as far as they differ from today's: three columns have other names, and there
/// are neither branches nor untrusted boards nor scan timings, markers and batteries.
enum Version01Tables {
    /// The version of the decoder that filled the derived tables: they hold what today's version 1 holds.
    static let decoderVersion = 1

    /// What version 0.1 has in place of a column; nil if it has the same column.
    static func source(of column: String, in table: String) -> String? {
        switch (table, column) {
        case ("segment", "isComplete"), ("page", "isLocked"): "isClosed"
        case ("boardKey", "ownerFingerprint"): "openingFingerprint"
        case ("board", "unitByteCount"): "coalesce(unitByteCount, blockByteCount)"
        case ("board", "claimedIdentity"), (_, "proof"), ("coverage", "scanIntervalSlots"),
            ("coverage", "scanWindowSlots"), ("board", "groupName"), ("board", "ageYears"), ("board", "sex"),
            ("board", "model"),
            ("board", "retiredWallClockMilliseconds"):
            "NULL"
        case ("board", "currentBranch"), ("segment", "branch"): "0"
        default: nil
        }
    }

    /// Version 0.1 kept only one version of each segment, and assembled encounters for each question. Its
    /// boards had neither buttons nor batteries, and only they had names.
    static func has(_ table: String) -> Bool {
        !(["branch", "marker", "battery", "person"] + DerivedTables.conclusions).contains(table)
    }

    /// Shows the tables under today's names to this connection alone, and changes nothing in the file. SQLite
    /// looks for a name among the temporary views first.
    static func show(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TEMPORARY VIEW board AS
                    SELECT *, NULL AS claimedIdentity, 0 AS currentBranch, NULL AS groupName,
                        NULL AS ageYears, NULL AS sex, NULL AS model, NULL AS retiredWallClockMilliseconds
                    FROM main.board;
                CREATE TEMPORARY VIEW branch AS
                    SELECT 0 AS boardID, 0 AS number, 0 AS parent, 0 AS firstOrdinal,
                        0 AS foundWallClockMilliseconds WHERE FALSE;
                CREATE TEMPORARY VIEW marker AS
                    SELECT 0 AS bootID, 0 AS monotonicMilliseconds, 0 AS origin WHERE FALSE;
                CREATE TEMPORARY VIEW battery AS
                    SELECT 0 AS bootID, 0 AS monotonicMilliseconds, NULL AS percent, NULL AS millivolts,
                        0 AS state, 0 AS isLow WHERE FALSE;
                CREATE TEMPORARY VIEW clockReading AS SELECT *, NULL AS proof FROM main.clockReading;
                CREATE TEMPORARY VIEW coverage AS
                    SELECT *, NULL AS scanIntervalSlots, NULL AS scanWindowSlots FROM main.coverage;
                CREATE TEMPORARY VIEW forgotten AS SELECT *, NULL AS proof FROM main.forgotten;
                CREATE TEMPORARY VIEW redactedPage AS SELECT *, NULL AS proof FROM main.redactedPage;
                CREATE TEMPORARY VIEW segment AS
                    SELECT id, boardID, ordinal, 0 AS branch, isClosed AS isComplete, isVerified,
                        changedByteCount
                    FROM main.segment;
                CREATE TEMPORARY VIEW page AS
                    SELECT segmentID, byteOffset, byteCount, sequence, bootIdentifier, entryCount,
                        isClosed AS isLocked, damage, sealedFor, latestMilliseconds
                    FROM main.page;
                CREATE TEMPORARY VIEW boardKey AS
                    SELECT id, boardID, publicKey, openingFingerprint AS ownerFingerprint,
                        operatorFingerprint, isVouched, shownWallClockMilliseconds
                    FROM main.boardKey;
                """)
    }
}

extension ArchiveSchema {
    /// `redaction`: one run in which contacts were removed. `schemes`: the schemes whose retention time was
    /// over; null if one person was to be forgotten.
    ///
    /// `redactedPage`: the stored rest of a page besides its first bytes. It holds the chain value after the
    /// page, the remaining entries, and identities that other pages refer to, both encoded as in pages.
    ///
    /// `changedByteCount`: the length of the segment's prefix that no longer equals the board's bytes.
    static let redactionTables = """
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
        ALTER TABLE segment ADD COLUMN changedByteCount INTEGER NOT NULL DEFAULT 0;
        """
}

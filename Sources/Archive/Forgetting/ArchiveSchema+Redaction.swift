extension ArchiveSchema {
    /// `redaction`: once somebody had contacts forgotten; `schemes`: whose time was over, null if a person was to be. `redactedPage`: what
    /// is kept of a page beside its first bytes: the chain's value behind it, the entries that stayed, and identities to which
    /// other pages refer, both encoded as in pages. `changedByteCount`: so far a segment's bytes are not all the board's any more.
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

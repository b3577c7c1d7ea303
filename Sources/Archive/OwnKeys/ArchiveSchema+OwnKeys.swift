extension ArchiveSchema {
    /// `firstPeriod`: of Exposure Notification in ten minutes since 1970, else in days. `bootIdentifier`: the start in which it was
    /// said, which may be forgotten while the key is in force.
    static let ownKeyTable = """
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
}

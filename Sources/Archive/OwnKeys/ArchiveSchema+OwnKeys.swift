extension ArchiveSchema {
    /// `firstPeriod`: for Exposure Notification in units of ten minutes since 1970, otherwise in days.
    /// `bootIdentifier`: the boot that logged the key; it may be forgotten while the key is in force.
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

/// The tables of contacts between boards of the archive. ``ContactKeeper`` keeps them equal to what the
/// stored encounters and the boards' own identities say.
enum ContactTables {
    /// The tables, each after the tables that it refers to.
    static let names = ["servedIdentity", "contact", "sighting"]

    /// `servedIdentity`: a period in which a board served an identity. Times are as in `encounter`. `place`:
    /// the period's place among those of its boot. `likeness` and `writtenLikeness`: the likenesses of the
    /// encounters with that identity; the second one if the peer only wrote it. `errorMilliseconds`: the
    /// worst error of both times; null if unknown.
    ///
    /// `contact`: two boards were in range of each other. `boardID` is the smaller number of both. Columns
    /// with `other` count what the other board heard. Times are on the wall clock, and those of both boards
    /// are comparable, unless `clockBoardID` and `clockBoot` name the only boot whose clock counted them.
    /// That boot had no wall clock if `isOnWallClock` is false. `reachMilliseconds`: the time until which a
    /// further sighting continues the contact. `certainty`: the ``ContactCertainty`` of all its sightings.
    ///
    /// `sighting`: an encounter of `boardID` with the board `otherBoardID`, and the contact that it is part
    /// of. `clockBoot` as in `contact`.
    static let definitions = """
        CREATE TABLE servedIdentity (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            place INTEGER NOT NULL,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            boot INTEGER,
            startMilliseconds INTEGER NOT NULL,
            endMilliseconds INTEGER NOT NULL,
            errorMilliseconds INTEGER,
            scheme INTEGER NOT NULL,
            payload BLOB NOT NULL,
            likeness BLOB NOT NULL CHECK (length(likeness) = 16),
            writtenLikeness BLOB NOT NULL CHECK (length(writtenLikeness) = 16),
            PRIMARY KEY (bootID, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX servedByLikeness ON servedIdentity (likeness);
        CREATE INDEX servedByWrittenLikeness ON servedIdentity (writtenLikeness);
        CREATE TABLE contact (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            otherBoardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            clockBoardID INTEGER,
            clockBoot INTEGER,
            isOnWallClock INTEGER NOT NULL,
            startMilliseconds INTEGER NOT NULL,
            endMilliseconds INTEGER NOT NULL,
            reachMilliseconds INTEGER NOT NULL,
            durationClass INTEGER NOT NULL,
            errorMilliseconds INTEGER,
            certainty INTEGER NOT NULL,
            encounterCount INTEGER NOT NULL,
            readingCount INTEGER NOT NULL,
            maximumDBm INTEGER,
            weightedTenthsDBm INTEGER,
            weight INTEGER,
            otherEncounterCount INTEGER NOT NULL,
            otherReadingCount INTEGER NOT NULL,
            otherMaximumDBm INTEGER,
            otherWeightedTenthsDBm INTEGER,
            otherWeight INTEGER
        ) STRICT;
        CREATE INDEX contactByPair ON contact
            (boardID, otherBoardID, certainty, clockBoardID, clockBoot, startMilliseconds);
        CREATE INDEX contactByOther ON contact (otherBoardID);
        CREATE INDEX contactByTime ON contact (durationClass, startMilliseconds) WHERE isOnWallClock;
        CREATE TABLE sighting (
            encounterID INTEGER NOT NULL REFERENCES encounter ON DELETE CASCADE,
            otherBoardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            contactID INTEGER REFERENCES contact ON DELETE SET NULL,
            clockBoot INTEGER,
            reachMilliseconds INTEGER NOT NULL,
            certainty INTEGER NOT NULL,
            PRIMARY KEY (encounterID, otherBoardID)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX sightingByContact ON sighting (contactID);
        CREATE INDEX looseSighting ON sighting (\(SightingTable.pair)) WHERE contactID IS NULL;
        """
}

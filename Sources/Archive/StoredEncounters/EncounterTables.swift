/// The tables of stored encounters. ``EncounterKeeper`` keeps them equal to what ``EncounterAssembly`` makes
/// of the other derived tables.
enum EncounterTables {
    /// The tables, each after the tables that it refers to.
    static let names = ["placement", "encounter", "encounterPart"]

    /// `placement`: how a boot lies in time. `firstMilliseconds` to `lastMilliseconds`: its records, and
    /// `firstHeardMilliseconds` to `lastHeardMilliseconds`: its tracks, on its
    /// monotonic clock. `facts`: a ``FactDigest`` of everything that the boot gives its encounters.
    ///
    /// `encounter`: times are in milliseconds since 1970 UTC, or, if `boot` is not null, since the start of
    /// that boot, which had no clock. `durationClass`: see ``OverlapQuery``. `timeoutMilliseconds`: the
    /// longest silence that would have been part of it. `likeness`: a ``FactDigest`` of its ``EncounterKey``.
    /// `addresses`: 7 bytes each, the last one the type; `pseudoAddresses`: 6 bytes each; `boots`: 8 bytes
    /// each, least significant first. `firstBoot` and `firstTrack` put encounters in order that have equal
    /// times.
    ///
    /// `encounterPart`: an encounter's pieces. `place`: the piece's place among those of its track.
    static let definitions = """
        CREATE TABLE placement (
            bootID INTEGER PRIMARY KEY REFERENCES boot ON DELETE CASCADE,
            firstMilliseconds INTEGER,
            lastMilliseconds INTEGER,
            firstHeardMilliseconds INTEGER,
            lastHeardMilliseconds INTEGER,
            basis TEXT NOT NULL,
            usedAnchorCount INTEGER NOT NULL,
            rejectedAnchorCount INTEGER NOT NULL,
            facts BLOB NOT NULL CHECK (length(facts) = 16)
        ) STRICT;
        CREATE TABLE encounter (
            id INTEGER PRIMARY KEY,
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            boot INTEGER,
            startMilliseconds INTEGER NOT NULL,
            endMilliseconds INTEGER NOT NULL,
            durationClass INTEGER NOT NULL,
            timeoutMilliseconds INTEGER NOT NULL,
            errorMilliseconds INTEGER,
            startErrorMilliseconds INTEGER,
            endErrorMilliseconds INTEGER,
            basis TEXT NOT NULL,
            notBeforeMilliseconds INTEGER,
            notAfterMilliseconds INTEGER,
            scheme INTEGER,
            payload BLOB,
            isLost INTEGER NOT NULL,
            marks INTEGER NOT NULL,
            hint INTEGER,
            addresses BLOB NOT NULL,
            pseudoAddresses BLOB NOT NULL,
            model TEXT,
            manufacturer TEXT,
            readingCount INTEGER NOT NULL,
            sampleCount INTEGER NOT NULL,
            minimumDBm INTEGER,
            maximumDBm INTEGER,
            weightedTenthsDBm INTEGER,
            weight INTEGER,
            writtenReadingCount INTEGER NOT NULL,
            latitudeMicrodegrees INTEGER,
            longitudeMicrodegrees INTEGER,
            boots BLOB NOT NULL,
            firstBoot INTEGER NOT NULL,
            firstTrack INTEGER NOT NULL,
            likeness BLOB NOT NULL CHECK (length(likeness) = 16)
        ) STRICT;
        CREATE INDEX encounterByTime ON encounter (durationClass, startMilliseconds) WHERE boot IS NULL;
        CREATE INDEX encounterByStart ON encounter (startMilliseconds, endMilliseconds) WHERE boot IS NULL;
        CREATE INDEX encounterByBoard ON encounter (boardID);
        CREATE INDEX encounterByLikeness ON encounter (likeness, boardID, startMilliseconds);
        CREATE TABLE encounterPart (
            bootID INTEGER NOT NULL REFERENCES boot ON DELETE CASCADE,
            track INTEGER NOT NULL,
            place INTEGER NOT NULL,
            encounterID INTEGER NOT NULL REFERENCES encounter ON DELETE CASCADE,
            PRIMARY KEY (bootID, track, place)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX partByEncounter ON encounterPart (encounterID);
        CREATE INDEX lostIdentification ON identification (trackID) WHERE isLost;
        """
}

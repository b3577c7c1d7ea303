/// The table of how many were near each board. ``PresenceKeeper`` keeps it equal to what the stored
/// encounters and contacts say.
enum PresenceTables {
    static let names = ["presence"]

    /// `presence`: a quarter of an hour of a board in which somebody was near, from `startMilliseconds` since
    /// 1970 UTC on. A peer is a board of the archive, or a device. `peerCount`:
    /// the peers, and `boardCount`: the boards among them. `peakCount`: the most of them at one moment.
    /// `presentMilliseconds`: the sum of their times. `arrivalCount`, `departureCount`: how often one came
    /// that was not near at that moment, or went. `errorMilliseconds`: the worst clock error; null if
    /// unknown.
    static let definitions = """
        CREATE TABLE presence (
            boardID INTEGER NOT NULL REFERENCES board ON DELETE CASCADE,
            startMilliseconds INTEGER NOT NULL,
            peerCount INTEGER NOT NULL,
            boardCount INTEGER NOT NULL,
            peakCount INTEGER NOT NULL,
            presentMilliseconds INTEGER NOT NULL,
            arrivalCount INTEGER NOT NULL,
            departureCount INTEGER NOT NULL,
            errorMilliseconds INTEGER,
            PRIMARY KEY (boardID, startMilliseconds)
        ) STRICT, WITHOUT ROWID;
        """
}

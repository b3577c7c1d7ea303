import FixedMemory
import GRDB

/// A row of the table `contact`, made from its sightings.
struct ContactRow {
    private let values: StatementArguments

    /// The columns in the order in which this type writes them.
    static let columns = [
        "boardID", "otherBoardID", "clockBoardID", "clockBoot", "isOnWallClock", "startMilliseconds",
        "endMilliseconds", "reachMilliseconds", "durationClass", "errorMilliseconds", "certainty",
        "encounterCount", "readingCount", "maximumDBm", "weightedTenthsDBm", "weight", "otherEncounterCount",
        "otherReadingCount", "otherMaximumDBm", "otherWeightedTenthsDBm", "otherWeight",
    ]

    private static let insertion = """
        INSERT INTO contact (\(columns.joined(separator: ", ")))
        VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
        """

    /// - Parameter sightings: at least one.
    init(_ sightings: [Sighting], in group: Sighting.Group) {
        let start = sightings.map(\.start).min() ?? .distantPast
        let end = sightings.map(\.end).max() ?? start
        let error = sightings.map(\.error).reduce(Interval?.some(.zero)) { worst, error in
            worst.flatMap { worst in error.map { max(worst, $0) } }
        }
        let isOnWallClock = sightings.allSatisfy(\.isOnWallClock)
        values =
            [
                group.pair.boardID, group.pair.otherBoardID, group.clock?.boardID, group.clock?.boot,
                isOnWallClock, start.milliseconds, end.milliseconds,
                sightings.map(\.reach).max()?.milliseconds,
                OverlapQuery.durationClass(end.interval(since: start)), error, group.certainty.rawValue,
            ] + Self.side(sightings.filter { $0.boardID == group.pair.boardID })
            + Self.side(sightings.filter { $0.boardID == group.pair.otherBoardID })
    }

    /// The columns of one of both boards.
    private static func side(_ sightings: [Sighting]) -> StatementArguments {
        var rssi: RSSISummary?
        for more in sightings.compactMap(\.rssi) {
            if rssi == nil { rssi = more } else { rssi?.add(more) }
        }
        // A foreign file may hold any numbers, so sums wrap.
        return [
            sightings.count, sightings.reduce(0) { $0 &+ $1.readingCount }, rssi?.maximumDBm,
            rssi?.weightedTenths, rssi?.weight,
        ]
    }

    func insert(into database: Database) throws {
        try database.cachedStatement(sql: Self.insertion).execute(arguments: values)
    }
}

import FixedMemory
import Foundation
import GRDB

/// Keeps the table `contact` equal to what the sightings say: joins sightings of two boards between which
/// there is no longer silence than within an encounter, whichever of both boards heard the other.
///
/// Contacts of one group never overlap, and no further one begins before the reach of an earlier one. So the
/// contacts that a sighting may join are those that begin within its time, and the one before.
struct ContactKeeper {
    let database: Database

    /// Joins all sightings that are part of no contact with each other and with stored contacts.
    func joinLooseSightings() throws {
        let pairs = try Row.fetchAll(
            database.cachedStatement(
                sql: "SELECT DISTINCT \(SightingTable.pair) FROM sighting WHERE contactID IS NULL"))
        for row in pairs {
            let loose = try sightings(
                where: "contactID IS NULL AND (\(SightingTable.pairOfSighting)) = (?, ?)",
                [row[0] as Int64, row[1] as Int64])
            for (group, sightings) in Dictionary(grouping: loose, by: \.group) {
                for cluster in Self.clusters(of: sightings) { try join(cluster, in: group) }
            }
        }
    }

    /// Sightings without a silence between them, in order of time.
    private static func clusters(of sightings: [Sighting]) -> [[Sighting]] {
        var clusters: [[Sighting]] = []
        var reach = TimelinePoint.distantPast
        for sighting in sightings.sorted(by: { $0.start < $1.start }) {
            if sighting.start <= reach, !clusters.isEmpty {
                clusters[clusters.count - 1].append(sighting)
            } else {
                clusters.append([sighting])
            }
            reach = max(reach, sighting.reach)
        }
        return clusters
    }

    /// Stores a contact of sightings, and of the stored contacts that they continue.
    private func join(_ cluster: [Sighting], in group: Sighting.Group) throws {
        var cluster = cluster
        while case let near = try contacts(near: cluster, in: group), !near.isEmpty {
            for contact in near {
                cluster += try sightings(where: "contactID = ?", [contact])
                try database.cachedStatement(sql: "DELETE FROM contact WHERE id = ?")
                    .execute(arguments: [contact])
            }
        }
        try ContactRow(cluster, in: group).insert(into: database)
        let contact = database.lastInsertedRowID
        let statement = try database.cachedStatement(
            sql: "UPDATE sighting SET contactID = ? WHERE encounterID = ? AND otherBoardID = ?")
        for sighting in cluster {
            try statement.execute(arguments: [contact, sighting.encounter, sighting.otherBoardID])
        }
    }

    private func contacts(near cluster: [Sighting], in group: Sighting.Group) throws -> [Int64] {
        guard let start = cluster.map(\.start).min(), let reach = cluster.map(\.reach).max() else {
            return []
        }
        let isOfGroup = """
            FROM contact WHERE boardID = :board AND otherBoardID = :other AND certainty = :certainty
                AND clockBoardID IS :clockBoard AND clockBoot IS :clockBoot
            """
        return try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id \(isOfGroup) AND startMilliseconds BETWEEN :start AND :reach
                    UNION ALL SELECT id FROM (
                        SELECT id, reachMilliseconds \(isOfGroup) AND startMilliseconds < :start
                        ORDER BY startMilliseconds DESC LIMIT 1)
                    WHERE reachMilliseconds >= :start
                    """),
            arguments: [
                "board": group.pair.boardID, "other": group.pair.otherBoardID,
                "certainty": group.certainty.rawValue, "clockBoard": group.clock?.boardID,
                "clockBoot": group.clock?.boot, "start": start.milliseconds, "reach": reach.milliseconds,
            ])
    }

    private func sightings(where condition: String, _ arguments: StatementArguments) throws -> [Sighting] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT \(Sighting.columns) FROM sighting JOIN encounter ON encounter.id = encounterID
                    WHERE \(condition)
                    """), arguments: arguments
        ).map(Sighting.init)
    }
}

import EncounterLog
import Foundation
import GRDB
import LogContents

/// Boards that were one to all who met them: configured alike by mistake, or made from one image. Phones tell devices apart
/// by nothing but the payload (X8).
extension Archive {
    /// The other boards that have served a Herald payload while `board` served the same, in the order in which they became
    /// known. Those of which nobody knows when that was are not among them.
    public func namesakes(of board: LogIdentity) throws(ArchiveError) -> [LogIdentity] {
        // Mostly there is none, and no history to read. A board's log that was begun anew has a namesake of another time.
        let alike = try reading { database in
            try Data.fetchAll(
                database,
                sql: """
                    SELECT DISTINCT other.logIdentity FROM ownIdentity AS own
                        JOIN boot AS ownBoot ON own.bootID = ownBoot.id
                        JOIN ownIdentity AS theirs
                            ON theirs.payload = own.payload AND theirs.scheme = own.scheme
                        JOIN boot AS theirBoot ON theirs.bootID = theirBoot.id
                        JOIN board AS other ON theirBoot.boardID = other.id
                        WHERE ownBoot.boardID = (SELECT id FROM board WHERE logIdentity = ?)
                            AND other.id <> ownBoot.boardID AND length(own.payload) > 0 AND own.scheme = ?
                        ORDER BY other.id
                    """, arguments: [board.blob, SchemeCode(.herald).rawValue])
        }.compactMap(LogIdentity.init(blob:))
        guard !alike.isEmpty else { return [] }
        let ours = ServedPayloads(try history(of: board))
        var namesakes: [LogIdentity] = []
        for other in alike where ours.overlap(ServedPayloads(try history(of: other))) {
            namesakes.append(other)
        }
        return namesakes
    }
}

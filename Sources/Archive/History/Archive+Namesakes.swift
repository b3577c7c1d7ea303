import EncounterLog
import Foundation
import GRDB
import LogContents

/// Duplicate identities: several boards that served one identity, because of equal configurations or a copied
/// image. Phones distinguish devices by their payload only (X8).
extension Archive {
    /// The other boards that served a Herald payload while `board` served the same one, in the order of
    /// registration. A period that cannot be dated does not count.
    public func duplicateIdentities(of board: LogIdentity) throws(ArchiveError) -> [LogIdentity] {
        // Most boards share no payload, so their histories need not be read. A reformatted board shares its
        // payload with its own old log, but at different times.
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
        let ours = ServedPayloads(try history(of: board, withTracks: false))
        var duplicateIdentities: [LogIdentity] = []
        for other in alike where ours.overlap(ServedPayloads(try history(of: other, withTracks: false))) {
            duplicateIdentities.append(other)
        }
        return duplicateIdentities
    }
}

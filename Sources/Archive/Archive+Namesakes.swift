import EncounterLog
import Foundation
import GRDB

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
                    """, arguments: [board.blob, LogScheme.herald.rawValue])
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

/// When a board has served which payload, on the wall clock; of each time as much as is certain.
struct ServedPayloads {
    private var times: [[UInt8]: [Range<Int64>]] = [:]

    /// How wrong a clock may be that nobody has checked.
    private static let uncheckedErrorMilliseconds: Int64 = 60_000

    init(_ history: BoardHistory) {
        for (boot, placement) in zip(history.boots, history.placements()) where placement.isOnWallClock {
            guard let last = boot.knownMoments?.upperBound else { continue }
            let ends = boot.heraldIdentities.dropFirst().map(\.monotonicMilliseconds) + [last]
            for (own, end) in zip(boot.heraldIdentities, ends) {
                guard let payload = own.identity?.payload else { continue }
                let earliest = Self.time(own.monotonicMilliseconds, placement, sign: 1)
                let latest = Self.time(end, placement, sign: -1)
                if earliest < latest { times[payload, default: []].append(earliest..<latest) }
            }
        }
    }

    /// Whether one payload was served by both at one time.
    func overlap(_ other: ServedPayloads) -> Bool {
        times.contains { payload, ranges in
            let others = other.times[payload] ?? []
            return ranges.contains { range in others.contains { $0.overlaps(range) } }
        }
    }

    /// Later (`sign` 1) or earlier (-1) than it can have been.
    private static func time(_ monotonic: Int64, _ placement: BootPlacement, sign: Int64) -> Int64 {
        let error = placement.errorMilliseconds(at: monotonic) ?? uncheckedErrorMilliseconds
        // Whoever has written the log may have written any time.
        let (time, overflow) = placement.milliseconds(at: monotonic)
            .addingReportingOverflow(sign * min(error, .max / 2))
        return overflow ? (sign > 0 ? .max : .min) : time
    }
}

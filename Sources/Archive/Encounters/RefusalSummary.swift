import EncounterLog
import Foundation
import GRDB
import LogContents

/// The number of identities that a board refused for one scheme and reason. Refusals on the wall clock count
/// together; those of a boot without a clock count per boot.
public struct RefusalSummary: Sendable, Equatable {
    public let board: LogIdentity
    public let scheme: SchemeCode
    public let reason: IdentityRefusal
    /// The clock of both times.
    public let timeline: Encounter.Timeline
    /// The times of the first and the last refusal.
    public let first: TimelinePoint
    public let last: TimelinePoint
    public let count: Int

    public var isOnWallClock: Bool { timeline.isOnWallClock }
}

extension Archive {
    /// The refusals of all boards that the filter admits, within the filter's times and scheme. Refusals
    /// on the wall clock come first, in descending order of frequency.
    public func refusals(matching filter: EncounterFilter = .init()) throws(ArchiveError) -> [RefusalSummary]
    {
        // Most boards refuse no identity, so their histories need not be read.
        let concerned = try reading { database in
            try Data.fetchSet(
                database,
                sql: """
                    SELECT DISTINCT logIdentity FROM refusedIdentity
                        JOIN boot ON bootID = boot.id JOIN board ON boardID = board.id
                    """)
        }.compactMap(LogIdentity.init(blob:))
        var refusals: [RefusalSummary] = []
        for board in try boards() where filter.admits(board: board) && concerned.contains(board.identity) {
            let history = try history(of: board.identity, withTracks: false)
            refusals += RefusalSummary.all(of: history, matching: filter)
        }
        return RefusalSummary.inOrder(refusals)
    }
}

extension RefusalSummary {
    public static func all(of history: BoardHistory, matching filter: EncounterFilter) -> [RefusalSummary] {
        var groups: [Key: [(refused: RefusedIdentity, placement: BootPlacement)]] = [:]
        for (boot, placement) in zip(history.boots, history.placements()) {
            for refused in boot.refusedIdentities {
                let timeline = placement.timeline(of: [refused.instant])
                let time = placement.point(at: refused.instant)
                guard filter.admits(refusedOf: refused.scheme), filter.admits(time, on: timeline)
                else { continue }
                let key = Key(
                    scheme: refused.scheme, reason: refused.reason,
                    boot: timeline.isOnWallClock ? nil : boot.identifier)
                groups[key, default: []].append((refused, placement))
            }
        }
        return groups.compactMap { key, members in
            let times = members.map { $0.placement.point(at: $0.refused.instant) }
            guard let first = times.min(), let last = times.max() else { return nil }
            let errors = members.map { $0.placement.error(at: $0.refused.instant) }
            let worst = errors.contains(nil) ? nil : errors.compactMap(\.self).max()
            return RefusalSummary(
                board: history.board, scheme: key.scheme, reason: key.reason,
                timeline: key.boot.map { .sinceStart(boot: $0) } ?? .wallClock(error: worst),
                first: first, last: last, count: members.count)
        }
    }

    /// Sorts refusals in an order that does not depend on their input order.
    public static func inOrder(_ refusals: [RefusalSummary]) -> [RefusalSummary] {
        refusals.sorted { $0.rank < $1.rank }
    }

    private var rank: (Int, Int, TimelinePoint, String, UInt8, UInt8) {
        (
            isOnWallClock ? 0 : 1, -count, first, board.hexadecimal, scheme.rawValue,
            reason.rawValue
        )
    }

    private struct Key: Hashable {
        let scheme: SchemeCode
        let reason: IdentityRefusal
        /// Nil for refusals on the wall clock.
        let boot: UInt64?
    }
}

import FixedMemory
import GRDB

/// An encounter, and a period in which another board served its identity.
struct SightingCandidate {
    let encounter: Int64
    let boardID: Int64
    let otherBoardID: Int64
    let start: TimelinePoint
    let end: TimelinePoint
    /// The worst error of both times; nil if unknown or not on the wall clock.
    let error: Interval?
    /// The longest silence within the encounter.
    let timeout: Interval
    let isOnWallClock: Bool
    let firstBoot: Int64
    let period: ServedPeriod
    /// The peer only wrote the identity.
    let isWritten: Bool

    /// Of `encounter` and `servedIdentity`. Whether the identity was written follows them.
    static let columns = """
        encounter.id, encounter.boardID, servedIdentity.boardID, encounter.startMilliseconds,
        encounter.endMilliseconds, startErrorMilliseconds, endErrorMilliseconds, timeoutMilliseconds,
        encounter.boot IS NULL, firstBoot,
        \(ServedPeriod.columns.split(separator: ", ").map { "servedIdentity.\($0)" }.joined(separator: ", "))
        """

    init(row: Row) {
        encounter = row[0]
        boardID = row[1]
        otherBoardID = row[2]
        start = TimelinePoint(milliseconds: row[3])
        end = TimelinePoint(milliseconds: row[4])
        let startError: Interval? = row[5]
        let endError: Interval? = row[6]
        error = startError.flatMap { error in endError.map { max(error, $0) } }
        timeout = row[7]
        isOnWallClock = row[8]
        firstBoot = row[9]
        period = ServedPeriod(row: row, at: 10)
        isWritten = row[16]
    }

    /// The boot whose clock alone counted the times; nil if they can be compared with those of other boards.
    /// The times of two boards can be compared if the errors are no longer than a silence within a contact.
    var clockBoot: Int64? {
        guard isOnWallClock, let error, error <= timeout else { return firstBoot }
        return nil
    }

    /// How the times of the encounter and the period agree; nil if they exclude each other.
    var agreement: ContactCertainty? {
        guard isOnWallClock, period.boot == nil, let error, let periodError = period.error else {
            return .undated
        }
        let isTogether =
            start - error <= period.end + periodError && period.start - periodError <= end + error
        return isTogether ? .served : nil
    }
}

import FixedMemory
import Foundation
import GRDB

/// An encounter of one board of the archive with another.
struct Sighting {
    /// The only boot whose clock counted its times; nil if they can be compared with those of other boards.
    struct Clock: Hashable {
        let boardID: Int64
        let boot: Int64
    }

    let encounter: Int64
    let boardID: Int64
    let otherBoardID: Int64
    let clock: Clock?
    let isOnWallClock: Bool
    let start: TimelinePoint
    let end: TimelinePoint
    /// The time until which a further sighting continues the same contact.
    let reach: TimelinePoint
    /// The worst error of its times; nil if unknown or not on the wall clock.
    let error: Interval?
    let certainty: ContactCertainty
    let readingCount: Int
    let rssi: RSSISummary?

    static let columns = """
        encounterID, sighting.boardID, sighting.otherBoardID, clockBoot, boot IS NULL, startMilliseconds,
            endMilliseconds, reachMilliseconds, errorMilliseconds, certainty, readingCount, minimumDBm,
            maximumDBm, weightedTenthsDBm, weight
        """

    /// - Parameter row: ``columns`` of `sighting` and its `encounter`.
    init(row: Row) {
        encounter = row[0]
        boardID = row[1]
        otherBoardID = row[2]
        let boot: Int64? = row[3]
        clock = boot.map { [boardID] in Clock(boardID: boardID, boot: $0) }
        isOnWallClock = row[4]
        start = TimelinePoint(milliseconds: row[5])
        end = TimelinePoint(milliseconds: row[6])
        reach = TimelinePoint(milliseconds: row[7])
        error = row[8]
        certainty = ContactCertainty(rawValue: row[9]) ?? .written
        readingCount = row[10]
        rssi = RSSISummary(
            minimumDBm: row[11], maximumDBm: row[12], weightedTenths: row[13], weight: row[14])
    }

    /// Only sightings of one group are joined to contacts.
    struct Group: Hashable {
        let pair: BoardPair
        let certainty: ContactCertainty
        let clock: Clock?
    }

    var group: Group {
        Group(pair: BoardPair(boardID, otherBoardID), certainty: certainty, clock: clock)
    }
}

/// Two boards of the archive, by the numbers of their rows.
struct BoardPair: Hashable {
    /// The smaller number.
    let boardID: Int64
    let otherBoardID: Int64

    init(_ one: Int64, _ other: Int64) {
        boardID = min(one, other)
        otherBoardID = max(one, other)
    }
}

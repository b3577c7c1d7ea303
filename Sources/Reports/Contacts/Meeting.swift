import Archive
import FixedMemory
import LogContents
import Ranging

/// A meeting of the subject of `tabardctl who-met` with a board of the archive, or with a stranger.
public struct Meeting: Sendable {
    /// The name of a board, or the label of a stranger's identity.
    public let who: String
    /// The log identity of a board; nil for a stranger.
    public let board: LogIdentity?
    public let timeline: Encounter.Timeline
    public let start: TimelinePoint
    public let end: TimelinePoint
    /// The error bound of its times, either way; nil if unknown or not on the wall clock.
    public let clockError: Interval?
    public let readingCount: Int
    /// Nil without samples.
    public let maximumDBm: Int?
    public let meanDBm: Double?
    /// By the direction of the signal that says more.
    public let distance: DistanceEstimate
    /// The names of the boards that heard the other.
    public let heardBy: [String]
    /// The evidence that says who it was.
    public let certainty: ContactCertainty

    public var duration: Interval { end.interval(since: start) }

    /// A contact of the subject with another board. Strength is as the board measured it that heard more.
    public init(
        _ contact: BoardContact, of subject: LogIdentity, names: BoardNames, _ distances: ContactDistances
    ) {
        let sides = contact.sides(from: subject)
        let louder = sides.own.readingCount >= sides.other.readingCount ? sides.own : sides.other
        who = names[sides.other.board]
        board = sides.other.board
        timeline = contact.timeline
        start = contact.start
        end = contact.end
        clockError = contact.clockError
        readingCount = louder.readingCount
        maximumDBm = louder.maximumDBm
        meanDBm = louder.meanDBm
        distance = distances.estimate(contact)
        heardBy = [sides.own, sides.other].filter { $0.encounterCount > 0 }.map { names[$0.board] }
        certainty = contact.certainty
    }

    /// An encounter of a board.
    ///
    /// - Parameters:
    ///   - subjectIsBoard: the subject is that board, and met a stranger; or else it is the stranger.
    ///   - people: the names of strangers.
    public init(
        _ encounter: EncounterSummary, subjectIsBoard: Bool, names: BoardNames, people: Labels = Labels(),
        _ distances: ContactDistances
    ) {
        let name = names[encounter.board]
        let person = encounter.identity.flatMap { people[$0].name }
        who = subjectIsBoard ? person.map { "\($0) (\(encounter.label))" } ?? encounter.label : name
        board = subjectIsBoard ? nil : encounter.board
        timeline = encounter.timeline
        start = encounter.start
        end = encounter.end
        clockError = encounter.clockError
        readingCount = encounter.readingCount
        maximumDBm = encounter.rssi?.maximumDBm
        meanDBm = encounter.rssi?.meanDBm
        distance = distances.estimate(encounter)
        heardBy = [name]
        certainty = encounter.isWritten ? .written : .served
    }

    /// First the meetings on the wall clock, by time, then the others.
    public static func inOrder(_ meetings: [Meeting]) -> [Meeting] {
        meetings.enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            return (one.timeline.isOnWallClock ? 0 : 1, one.start, one.end, left.offset)
                < (other.timeline.isOnWallClock ? 0 : 1, other.start, other.end, right.offset)
        }.map(\.element)
    }
}

import Archive
import FixedMemory
import LogContents

/// The answer of `tabardctl who-met` for programs.
public struct WhoMetDocument: PrintedDocument {
    public static let schema = PrintedSchema("meetings")

    /// The name of the board, or the label of the identity, in question.
    public let subject: String
    /// In order of time; those without wall time last.
    public let meetings: [Row]
    /// The number of encounters of the subject with strangers.
    public let strangerEncounters: Int
    /// The times in which the subject's board did not listen.
    public let unheard: [Unheard]

    public struct Row: Encodable, Sendable {
        public let who: String
        /// The log identity of a board; null for a stranger.
        @NullIfUnknown public private(set) var board: String?
        /// RFC 3339, UTC; null without a clock.
        @NullIfUnknown public private(set) var start: String?
        @NullIfUnknown public private(set) var end: String?
        public let durationSeconds: Double
        @NullIfUnknown public private(set) var clockErrorSeconds: Double?
        public let readings: Int
        @NullIfUnknown public private(set) var rssiMaximum: Int?
        @NullIfUnknown public private(set) var rssiMean: Double?
        /// By the signal of the board that heard more.
        public let distance: DistanceDocument
        public let heardBy: [String]
        /// `served`, `undated`, `ambiguous` or `written`.
        public let certainty: String

        init(_ meeting: Meeting) {
            who = meeting.who
            board = meeting.board?.hexadecimal
            start = meeting.timeline.wallClock(meeting.start).map(TimeText.utc)
            end = meeting.timeline.wallClock(meeting.end).map(TimeText.utc)
            durationSeconds = meeting.duration.fractionalSeconds
            clockErrorSeconds = meeting.clockError?.fractionalSeconds
            readings = meeting.readingCount
            rssiMaximum = meeting.maximumDBm
            rssiMean = meeting.meanDBm?.roundedToTenths
            distance = DistanceDocument(meeting.distance)
            heardBy = meeting.heardBy
            certainty = meeting.certainty.name
        }
    }

    public struct Unheard: Encodable, Sendable {
        /// RFC 3339, UTC.
        public let start: String
        public let end: String
        /// As in `tabardctl coverage --json`.
        public let cause: String
        /// The names of other boards that listened at some time meanwhile.
        public let listeners: [String]

        init(_ time: UnheardTime, names: BoardNames) {
            start = TimeText.utc(WallClockTime(clamping: time.start.milliseconds))
            end = TimeText.utc(WallClockTime(clamping: time.end.milliseconds))
            cause = time.cause.name
            listeners = time.listeners.map { names[$0] }
        }
    }

    public init(
        subject: String, _ meetings: [Meeting], strangerEncounters: Int, unheard: [UnheardTime],
        names: BoardNames
    ) {
        self.subject = subject
        self.meetings = meetings.map(Row.init)
        self.strangerEncounters = strangerEncounters
        self.unheard = unheard.map { Unheard($0, names: names) }
    }

    public static let columns =
        [
            "who", "board", "start", "end", "duration_seconds", "clock_error_seconds", "readings",
            "rssi_maximum_dbm", "rssi_mean_dbm", "heard_by", "certainty",
        ] + DistanceDocument.columns

    public var rows: [[String]] {
        meetings.map { row in
            [
                row.who, row.board ?? "", row.start ?? "", row.end ?? "", "\(row.durationSeconds)",
                row.clockErrorSeconds.map { "\($0)" } ?? "", "\(row.readings)",
                row.rssiMaximum.map { "\($0)" } ?? "", row.rssiMean.map { "\($0)" } ?? "",
                row.heardBy.joined(separator: "; "), row.certainty,
            ] + row.distance.fields
        }
    }
}

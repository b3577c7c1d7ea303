import Archive
import LogContents
import Ranging

/// A contact of two boards, as `tabardctl contacts --json` prints it.
public struct ContactDocument: StreamedRow {
    public static let schema = PrintedSchema("contacts")

    /// The board that was registered earlier, or the subject of the question.
    public let board: Side
    public let otherBoard: Side
    /// RFC 3339, UTC; null if the board that heard the other had no clock.
    @NullIfUnknown public private(set) var start: String?
    @NullIfUnknown public private(set) var end: String?
    public let durationSeconds: Double
    /// The error bound of its times, either way; null if unknown.
    @NullIfUnknown public private(set) var clockErrorSeconds: Double?
    /// `served`, `undated`, `ambiguous` or `written`.
    public let certainty: String

    /// One of both boards, and how it heard the other.
    public struct Side: Encodable, Sendable {
        public let board: String
        public let name: String
        /// One for each identity that the other board showed; 0 if this one heard nothing.
        public let encounters: Int
        public let readings: Int
        @NullIfUnknown public private(set) var rssiMaximum: Int?
        @NullIfUnknown public private(set) var rssiMean: Double?
        /// By the signal that this board heard.
        public let distance: DistanceDocument

        init(_ side: BoardContact.Side, names: BoardNames, _ distance: DistanceEstimate) {
            board = side.board.hexadecimal
            name = names[side.board]
            encounters = side.encounterCount
            readings = side.readingCount
            rssiMaximum = side.maximumDBm
            rssiMean = side.meanDBm?.roundedToTenths
            self.distance = DistanceDocument(distance)
        }

        fileprivate var fields: [String] {
            [
                "\(encounters)", "\(readings)", rssiMaximum.map { "\($0)" } ?? "",
                rssiMean.map { "\($0)" } ?? "",
            ] + distance.fields
        }
    }

    /// - Parameter board: the board that comes first; nil for the one that was registered earlier.
    public init(
        _ contact: BoardContact, from board: LogIdentity? = nil, names: BoardNames,
        _ distances: ContactDistances
    ) {
        let sides = contact.sides(from: board ?? contact.first.board)
        self.board = Side(sides.own, names: names, distances.estimate(sides.own, from: sides.other))
        otherBoard = Side(sides.other, names: names, distances.estimate(sides.other, from: sides.own))
        start = contact.timeline.wallClock(contact.start).map(TimeText.utc)
        end = contact.timeline.wallClock(contact.end).map(TimeText.utc)
        durationSeconds = contact.duration.fractionalSeconds
        clockErrorSeconds = contact.clockError?.fractionalSeconds
        certainty = contact.certainty.name
    }

    private static let columns =
        [
            "board", "board_name", "other_board", "other_board_name", "start", "end", "duration_seconds",
            "clock_error_seconds", "certainty",
        ]
        + ["", "other_"].flatMap { side in
            (["encounters", "readings", "rssi_maximum_dbm", "rssi_mean_dbm"] + DistanceDocument.columns)
                .map { side + $0 }
        }

    /// UTF-8.
    public static var csvHeader: [UInt8] { CSVLine(columns).utf8 }

    /// UTF-8.
    public var csvLine: [UInt8] {
        CSVLine(
            [
                board.board, board.name, otherBoard.board, otherBoard.name, start ?? "", end ?? "",
                "\(durationSeconds)", clockErrorSeconds.map { "\($0)" } ?? "", certainty,
            ] + board.fields + otherBoard.fields
        ).utf8
    }
}

extension ContactCertainty {
    /// The word in JSON and CSV.
    var name: String { "\(self)" }

    /// The remark in lists for people; nil for the best certainty.
    public var remark: String? {
        switch self {
        case .served: nil
        case .undated: "time unknown"
        case .ambiguous: "several boards had this identity"
        case .written: "only written"
        }
    }
}

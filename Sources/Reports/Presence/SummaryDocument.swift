import Archive
import FixedMemory
import LogContents

/// A day, or another time, at all boards: the output of `tabardctl summary`.
public struct SummaryDocument: PrintedDocument {
    public static let schema = PrintedSchema("summary")

    /// RFC 3339, UTC.
    public let start: String
    public let end: String
    public let boards: [Board]
    /// The boards that met, those that were together longest first.
    public let pairs: [Pair]

    /// The figures of one board.
    public struct Board: Encodable, Sendable {
        public let board: String
        public let name: String
        /// The share of the time in which it listened, from 0 to 1; null if nothing of that time is fetched.
        @NullIfUnknown public private(set) var listenedShare: Double?
        @NullIfUnknown public private(set) var longestBlindSeconds: Double?
        /// As in `tabardctl coverage --json`.
        @NullIfUnknown public private(set) var longestBlindCause: String?
        public let encounters: Int
        /// The most peers at one moment of a quarter of an hour, and the start of that; null if nobody came.
        public let peak: Int
        @NullIfUnknown public private(set) var peakStart: String?
        /// The number of boards that it met.
        public let boardsMet: Int

        public init(
            _ board: LogIdentity, name: String, coverage: CoverageSummary?, encounterCount: Int,
            peak: PresenceSlot?, boardsMet: Int
        ) {
            self.board = board.hexadecimal
            self.name = name
            listenedShare = coverage?.coveredShare.map { ($0 * 10_000).rounded() / 10_000 }
            longestBlindSeconds = coverage?.longestBlind?.duration.fractionalSeconds
            longestBlindCause = coverage?.longestBlind?.cause.name
            encounters = encounterCount
            self.peak = peak?.peakCount ?? 0
            peakStart = peak.map { TimeText.utc($0.start) }
            self.boardsMet = boardsMet
        }
    }

    /// Two boards that met.
    public struct Pair: Encodable, Sendable {
        public let board: BoardReference
        public let otherBoard: BoardReference
        public let contacts: Int
        public let seconds: Double

        public init(
            _ board: LogIdentity, _ otherBoard: LogIdentity, names: BoardNames, contactCount: Int,
            time: Interval
        ) {
            self.board = BoardReference(board, names: names)
            self.otherBoard = BoardReference(otherBoard, names: names)
            contacts = contactCount
            seconds = time.fractionalSeconds
        }
    }

    public init(start: WallClockTime, end: WallClockTime, boards: [Board], pairs: [Pair]) {
        self.start = TimeText.utc(start)
        self.end = TimeText.utc(end)
        self.boards = boards
        self.pairs = pairs
    }

    public static let columns = [
        "board", "board_name", "start", "end", "listened_share", "longest_blind_seconds",
        "longest_blind_cause", "encounters", "peak", "peak_start", "boards_met",
    ]

    public var rows: [[String]] {
        boards.map { row in
            [
                row.board, row.name, start, end, row.listenedShare.map { "\($0)" } ?? "",
                row.longestBlindSeconds.map { "\($0)" } ?? "", row.longestBlindCause ?? "",
                "\(row.encounters)", "\(row.peak)", row.peakStart ?? "", "\(row.boardsMet)",
            ]
        }
    }
}

import Archive
import EncounterLog
import Foundation

/// The result of verifying a log, as `tabardctl verify --json` prints it. Later versions only add fields;
/// they never rename or remove one.
public struct VerificationDocument: PrintedRow {
    public static let schema = PrintedSchema("verifications")

    public struct Position: Encodable, Sendable {
        public let segment: UInt32
        public let byteOffset: UInt32

        init(_ position: LogPosition) {
            segment = position.segmentOrdinal
            byteOffset = position.byteOffset
        }
    }

    public struct Moment: Encodable, Sendable {
        /// 16 hexadecimal digits.
        public let boot: String
        public let monotonicMilliseconds: UInt64
        /// RFC 3339, UTC; null without a wall clock.
        @NullIfUnknown public private(set) var time: String?
    }

    public struct Finding: Encodable, Sendable {
        public let kind: String
        /// `note`, `gap`, `damage` or `forgery`.
        public let severity: String
        public let text: String
        @NullIfUnknown public private(set) var position: Position?
        @NullIfUnknown public private(set) var pages: Int?
        @NullIfUnknown public private(set) var lostEntries: Int?
        /// True if `lostEntries` is a lower bound.
        public let isAtLeast: Bool
        /// The last known moment before the finding, and the first one after it.
        @NullIfUnknown public private(set) var before: Moment?
        @NullIfUnknown public private(set) var after: Moment?
        /// The cause that the board reports for erased segments: `room`, `command` or `retention`.
        @NullIfUnknown public private(set) var cause: String?
        /// True if a host had acknowledged these segments to the board.
        @NullIfUnknown public private(set) var isAcknowledged: Bool?
    }

    public let board: String
    @NullIfUnknown public private(set) var name: String?
    /// `sound`, `gaps`, `damaged` or `forged`.
    public let verdict: String
    public let segments: Int
    public let bytes: Int
    /// Readable pages, locked ones included.
    public let pages: Int
    public let chainedPages: Int
    /// Pages that an owner key at hand decrypted.
    public let openedPages: Int
    /// Locked pages: no owner key at hand decrypts them.
    public let closedPages: Int
    /// Pages from which the operator has removed entries.
    public let redactedPages: Int
    public let entries: Int
    public let signatures: Int
    public let manifests: Int
    @NullIfUnknown public private(set) var signedThrough: Position?
    /// When the board signed the newest end of the log that is here; null without one.
    @NullIfUnknown public private(set) var completeThrough: Moment?
    /// The share of the log's time in which the board could receive, 0 to 1; null without a wall clock.
    @NullIfUnknown public private(set) var coveredShare: Double?
    public let findings: [Finding]
    public let clocks: [ClockRow]

    public init(_ result: LogVerification, name: String?, history: BoardHistory) {
        let placements = Dictionary(
            zip(history.boots.map(\.identifier), history.placements()),
            uniquingKeysWith: { first, _ in first })
        func moment(_ moment: LogHole.Moment) -> Moment {
            Moment(
                boot: TimeText.boot(moment.boot), monotonicMilliseconds: moment.instant.milliseconds,
                time: placements[moment.boot]?.wallClock(at: moment.instant).map(TimeText.utc))
        }
        board = result.board.hexadecimal
        self.name = name
        verdict = VerificationText.verdict(result)
        segments = result.segmentCount
        bytes = result.byteCount
        pages = result.pageCount
        chainedPages = result.chainedPageCount
        openedPages = result.openedPageCount
        closedPages = result.lockedPageCount
        redactedPages = result.redactedPageCount
        entries = result.entryCount
        signatures = result.signatureCount
        manifests = result.manifestCount
        signedThrough = result.signedThrough.map(Position.init)
        completeThrough = result.completeThrough.map(moment)
        coveredShare = CoverageAssembly.timelines(of: history).first { $0.isOnWallClock }
            .flatMap { CoverageSummary($0).coveredShare }
        findings = result.findings.map { finding in
            Finding(
                kind: finding.kind.name, severity: VerificationText.word(finding.severity),
                text: finding.text,
                position: finding.position.map(Position.init), pages: finding.pageCount,
                lostEntries: finding.lostEntryCount, isAtLeast: finding.isAtLeast,
                before: finding.before.map(moment), after: finding.after.map(moment),
                cause: finding.cause?.name, isAcknowledged: finding.isAcknowledged)
        }
        clocks = ClockRow.rows(history)
    }

    /// Encodes the documents as a JSON list in UTF-8 with a final line feed.
    public static func json(_ documents: [VerificationDocument]) throws -> Data {
        try PrintedJSON.data(rows: documents)
    }
}

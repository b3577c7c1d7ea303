import Archive
import EncounterLog
import Foundation

/// What checking a log has found, as `tabardctl verify --json` prints it. Fields are added here, never renamed or removed.
public struct VerificationDocument: Encodable, Sendable {
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
        public let monotonicMilliseconds: Int64
        /// RFC 3339, UTC; null without a wall clock.
        public let time: String?

        private enum CodingKeys: CodingKey { case boot, monotonicMilliseconds, time }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(boot, forKey: .boot)
            try container.encode(monotonicMilliseconds, forKey: .monotonicMilliseconds)
            try container.encode(time, forKey: .time)
        }
    }

    public struct Finding: Encodable, Sendable {
        public let kind: String
        /// `note`, `gap`, `damage` or `forgery`.
        public let severity: String
        public let text: String
        public let position: Position?
        public let pages: Int?
        public let lostEntries: Int?
        public let isAtLeast: Bool
        public let before: Moment?
        public let after: Moment?
        /// Why segments are gone, says the board: `room`, `command` or `retention`.
        public let cause: String?
        /// The board had been told that they were safe.
        public let isAcknowledged: Bool?

        private enum CodingKeys: CodingKey {
            case kind, severity, text, position, pages, lostEntries, isAtLeast, before, after, cause,
                isAcknowledged
        }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(kind, forKey: .kind)
            try container.encode(severity, forKey: .severity)
            try container.encode(text, forKey: .text)
            try container.encode(position, forKey: .position)
            try container.encode(pages, forKey: .pages)
            try container.encode(lostEntries, forKey: .lostEntries)
            try container.encode(isAtLeast, forKey: .isAtLeast)
            try container.encode(before, forKey: .before)
            try container.encode(after, forKey: .after)
            try container.encode(cause, forKey: .cause)
            try container.encode(isAcknowledged, forKey: .isAcknowledged)
        }
    }

    public let board: String
    public let name: String?
    /// `sound`, `gaps`, `damaged` or `forged`.
    public let verdict: String
    public let segments: Int
    public let bytes: Int
    public let pages: Int
    public let chainedPages: Int
    public let openedPages: Int
    public let closedPages: Int
    /// Of which the operator had entries removed.
    public let redactedPages: Int
    public let entries: Int
    public let signatures: Int
    public let manifests: Int
    public let signedThrough: Position?
    /// Of all time that is recorded, on the wall clock.
    public let coveredShare: Double?
    public let findings: [Finding]
    public let clocks: [ClockRow]

    public init(_ result: LogVerification, name: String?, history: BoardHistory) {
        let placements = Dictionary(
            zip(history.boots.map(\.identifier), history.placements()),
            uniquingKeysWith: { first, _ in first })
        func moment(_ moment: LogHole.Moment) -> Moment {
            let placement = placements[moment.boot].flatMap { $0.isOnWallClock ? $0 : nil }
            return Moment(
                boot: TimeText.boot(moment.boot), monotonicMilliseconds: moment.monotonicMilliseconds,
                time: placement.map { TimeText.utc($0.milliseconds(at: moment.monotonicMilliseconds)) })
        }
        board = result.board.hexadecimal
        self.name = name
        verdict = VerificationText.verdict(result)
        segments = result.segmentCount
        bytes = result.byteCount
        pages = result.pageCount
        chainedPages = result.chainedPageCount
        openedPages = result.openedPageCount
        closedPages = result.closedPageCount
        redactedPages = result.redactedPageCount
        entries = result.entryCount
        signatures = result.signatureCount
        manifests = result.manifestCount
        signedThrough = result.signedThrough.map(Position.init)
        coveredShare = CoverageAssembly.timelines(of: history).first { $0.isOnWallClock }
            .flatMap { CoverageSummary($0).coveredShare }
        findings = result.findings.map { finding in
            Finding(
                kind: finding.kind.name, severity: VerificationText.word(finding.severity),
                text: finding.words,
                position: finding.position.map(Position.init), pages: finding.pageCount,
                lostEntries: finding.lostEntryCount, isAtLeast: finding.isAtLeast,
                before: finding.before.map(moment), after: finding.after.map(moment),
                cause: finding.cause?.name, isAcknowledged: finding.isAcknowledged)
        }
        clocks = ClockRow.rows(history)
    }

    private enum CodingKeys: CodingKey {
        case board, name, verdict, segments, bytes, pages, chainedPages, openedPages, closedPages,
            redactedPages
        case entries, signatures, manifests, signedThrough, coveredShare, findings, clocks
    }

    /// Every key is always there; what is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(board, forKey: .board)
        try container.encode(name, forKey: .name)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(segments, forKey: .segments)
        try container.encode(bytes, forKey: .bytes)
        try container.encode(pages, forKey: .pages)
        try container.encode(chainedPages, forKey: .chainedPages)
        try container.encode(openedPages, forKey: .openedPages)
        try container.encode(closedPages, forKey: .closedPages)
        try container.encode(redactedPages, forKey: .redactedPages)
        try container.encode(entries, forKey: .entries)
        try container.encode(signatures, forKey: .signatures)
        try container.encode(manifests, forKey: .manifests)
        try container.encode(signedThrough, forKey: .signedThrough)
        try container.encode(coveredShare, forKey: .coveredShare)
        try container.encode(findings, forKey: .findings)
        try container.encode(clocks, forKey: .clocks)
    }

    /// The array, in UTF-8, with a line feed at its end.
    public static func json(_ documents: [VerificationDocument]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(documents) + Data("\n".utf8)
    }
}

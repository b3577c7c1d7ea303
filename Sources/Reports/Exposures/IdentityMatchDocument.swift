import Archive
import Exposure
import FixedMemory
import Schemes

/// The output of `tabardctl match` for programs, for schemes other than Exposure Notification.
public struct IdentityMatchDocument: PrintedDocument {
    public static let schema = PrintedSchema("identity-matches")

    public let scheme: String
    /// RFC 3339, UTC, as are all times here.
    public let asOf: String
    public let publishedKeys: Int
    public let searchedEncounters: Int
    /// Pages that were not searched, because no signature of the board covers them or they are forged.
    public var leftOutPages = 0
    /// The time before and after its validity for which an identity still matches.
    public let toleranceSeconds: Int
    public let encounters: [Row]

    public struct Row: Sendable {
        public let board: String
        /// Hexadecimal, as recorded.
        public let identity: String
        /// `written`: the peer wrote its identity unasked.
        public let identityMarks: [String]
        /// Whether the board measured nothing of the encounter: the peer only wrote that it hears the board.
        public let isClaimed: Bool
        /// The published key, in hexadecimal.
        public let key: String
        /// The authority's classification of the key; null if there is none.
        @NullIfUnknown public private(set) var kind: String?
        public let start: String
        public let end: String
        public let durationSeconds: Double
        /// The error bounds of start and end, either way; null if unknown.
        @NullIfUnknown public private(set) var startErrorSeconds: Double?
        @NullIfUnknown public private(set) var endErrorSeconds: Double?
        /// The validity of the identity.
        public let identityStart: String
        public let identityEnd: String
        public let readings: Int
        /// dBm, of the samples within the time tolerance; null if no sample was kept.
        @NullIfUnknown public private(set) var rssiMaximum: Int?
        @NullIfUnknown public private(set) var rssiMean: Double?
    }

    public init(_ search: IdentitySearch, now: WallClockTime) {
        scheme = "\(search.scheme.name)"
        asOf = TimeText.utc(now)
        publishedKeys = search.publishedKeyCount
        searchedEncounters = search.counts.searched
        toleranceSeconds = Int(search.toleranceSeconds)
        encounters = search.matches.map(Row.init)
    }

    public static let columns = [
        "board", "identity", "identity_marks", "key", "kind", "start", "end", "duration_seconds",
        "start_error_seconds", "end_error_seconds", "identity_start", "identity_end", "readings",
        "rssi_maximum_dbm", "rssi_mean_dbm", "claimed",
    ]

    public var rows: [[String]] { encounters.map(\.fields) }
}

extension IdentityMatchDocument.Row: Encodable {
    fileprivate init(_ match: IdentityMatch) {
        let encounter = match.encounter
        let rssi = RSSISummary(match.samples)
        board = encounter.board.hexadecimal
        identity = encounter.identity?.hexadecimal ?? ""
        identityMarks = encounter.identityMarks.names
        isClaimed = encounter.isClaimed
        key = match.key
        kind = match.kind
        start = TimeText.utc(WallClockTime(clamping: encounter.start.milliseconds))
        end = TimeText.utc(WallClockTime(clamping: encounter.end.milliseconds))
        durationSeconds = encounter.duration.fractionalSeconds
        startErrorSeconds = encounter.startError?.fractionalSeconds
        endErrorSeconds = encounter.endError?.fractionalSeconds
        identityStart = TimeText.utc(match.validity.start)
        identityEnd = TimeText.utc(match.validity.end)
        readings = encounter.readingCount
        rssiMaximum = rssi?.maximumDBm
        rssiMean = rssi?.meanDBm.roundedToTenths
    }

    fileprivate var fields: [String] {
        let errors: [String] = [startErrorSeconds, endErrorSeconds].map { $0.map { "\($0)" } ?? "" }
        let strengths: [String] = [rssiMaximum.map { "\($0)" } ?? "", rssiMean.map { "\($0)" } ?? ""]
        let times = [start, end, "\(durationSeconds)"] + errors + [identityStart, identityEnd]
        return [board, identity, identityMarks.joined(separator: " "), key, kind ?? ""] + times
            + ["\(readings)"] + strengths + [isClaimed ? "true" : "false"]
    }
}

extension ValidityInterval {
    fileprivate var start: WallClockTime { WallClockTime(clampingSeconds: startSeconds) }
    fileprivate var end: WallClockTime { WallClockTime(clampingSeconds: endSeconds) }
}

extension WallClockTime {
    /// A published key may name any time.
    fileprivate init(clampingSeconds seconds: UInt64) {
        let (product, overflow) = Int64(clamping: seconds).multipliedReportingOverflow(by: 1_000)
        self.init(clamping: overflow ? .max : product)
    }
}

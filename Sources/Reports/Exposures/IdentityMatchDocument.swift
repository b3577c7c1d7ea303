import Archive
import Exposure
import Schemes

/// The output of `tabardctl match` for programs, for schemes other than Exposure Notification.
public struct IdentityMatchDocument: PrintedDocument {
    public let scheme: String
    /// RFC 3339, UTC, as are all times here.
    public let asOf: String
    public let publishedKeys: Int
    public let searchedEncounters: Int
    /// The time before and after its validity for which an identity still matches.
    public let toleranceSeconds: Int
    public let encounters: [Row]

    public struct Row: Sendable {
        public let board: String
        /// Hexadecimal, as recorded.
        public let identity: String
        /// `written`: the peer wrote its identity unasked.
        public let identityMarks: [String]
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

    public init(_ search: IdentitySearch, nowMilliseconds: Int64) {
        scheme = "\(search.scheme.name)"
        asOf = TimeText.utc(nowMilliseconds)
        publishedKeys = search.publishedKeyCount
        searchedEncounters = search.counts.searched
        toleranceSeconds = Int(search.toleranceSeconds)
        encounters = search.matches.map(Row.init)
    }

    public static let columns = [
        "board", "identity", "identity_marks", "key", "kind", "start", "end", "duration_seconds",
        "start_error_seconds", "end_error_seconds", "identity_start", "identity_end", "readings",
        "rssi_maximum_dbm", "rssi_mean_dbm",
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
        key = match.key
        kind = match.kind
        start = TimeText.utc(encounter.startMilliseconds)
        end = TimeText.utc(encounter.endMilliseconds)
        durationSeconds = Double(encounter.durationMilliseconds) / 1000
        startErrorSeconds = encounter.startErrorMilliseconds.map { Double($0) / 1000 }
        endErrorSeconds = encounter.endErrorMilliseconds.map { Double($0) / 1000 }
        identityStart = TimeText.utc(match.validity.startMilliseconds)
        identityEnd = TimeText.utc(match.validity.endMilliseconds)
        readings = encounter.readingCount
        rssiMaximum = rssi?.maximumDBm
        rssiMean = rssi?.meanDBm.roundedToTenths
    }

    fileprivate var fields: [String] {
        let errors: [String] = [startErrorSeconds, endErrorSeconds].map { $0.map { "\($0)" } ?? "" }
        let strengths: [String] = [rssiMaximum.map { "\($0)" } ?? "", rssiMean.map { "\($0)" } ?? ""]
        let times = [start, end, "\(durationSeconds)"] + errors + [identityStart, identityEnd]
        return [board, identity, identityMarks.joined(separator: " "), key, kind ?? ""] + times
            + ["\(readings)"] + strengths
    }
}

extension ValidityInterval {
    fileprivate var startMilliseconds: Int64 { Int64(clamping: startSeconds).clampedToMilliseconds }
    fileprivate var endMilliseconds: Int64 { Int64(clamping: endSeconds).clampedToMilliseconds }
}

extension Int64 {
    /// The seconds as milliseconds, or the largest possible value.
    fileprivate var clampedToMilliseconds: Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : product
    }
}

import Archive
import Exposure
import Schemes

/// What `tabardctl match` prints for programs, of schemes other than Exposure Notification.
public struct IdentityMatchDocument: PrintedDocument {
    public let scheme: String
    /// RFC 3339, UTC, as all times here.
    public let asOf: String
    public let publishedKeys: Int
    public let searchedEncounters: Int
    /// An identity counts so long before and after it was its owner's.
    public let toleranceSeconds: Int
    public let encounters: [Row]

    public struct Row: Sendable {
        public let board: String
        /// In hexadecimal, as recorded.
        public let identity: String
        /// `written`: the peer wrote it, and was not asked.
        public let identityMarks: [String]
        /// The published key, in hexadecimal.
        public let key: String
        /// What the authority says of it; null where it says nothing.
        @NullIfUnknown public private(set) var kind: String?
        public let start: String
        public let end: String
        public let durationSeconds: Double
        /// How far start and end may be off, either way; null when nobody can say.
        @NullIfUnknown public private(set) var startErrorSeconds: Double?
        @NullIfUnknown public private(set) var endErrorSeconds: Double?
        /// When the identity was its owner's.
        public let identityStart: String
        public let identityEnd: String
        public let readings: Int
        /// dBm, of what was heard within the tolerance; null where no sample was kept.
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
    /// So many seconds, or the most that milliseconds can tell.
    fileprivate var clampedToMilliseconds: Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: 1_000)
        return overflow ? .max : product
    }
}

import Archive
import Foundation

/// A marked moment, as `tabardctl markers --json` prints it. Its times are those of ``MessageDocument``.
public struct MarkerDocument: Encodable, Sendable {
    public let board: String
    @NullIfUnknown public private(set) var time: String?
    @NullIfUnknown public private(set) var errorSeconds: Double?
    public let clockBasis: String
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
    @NullIfUnknown public private(set) var secondsSinceStart: Double?
    /// "button" or "command"
    public let origin: String

    public init(_ marker: RecordedMarker) {
        let moment = marker.moment
        board = marker.board.hexadecimal
        time = moment.timeline.wallClock(moment.time).map(TimeText.utc)
        errorSeconds = moment.error?.fractionalSeconds
        clockBasis = moment.basis.rawValue
        notBefore = moment.notBefore.map(TimeText.utc)
        notAfter = moment.notAfter.map(TimeText.utc)
        secondsSinceStart = moment.secondsSinceStart
        origin = marker.origin.text
    }

    static let columns = ["board", "time", "error_seconds", "seconds_since_start", "origin"]

    var row: [String] {
        [
            board, time ?? "", errorSeconds.map { "\($0)" } ?? "", secondsSinceStart.map { "\($0)" } ?? "",
            origin,
        ]
    }
}

/// The output of `tabardctl markers` for programs.
public struct MarkersDocument: PrintedDocument {
    public static let schema = PrintedSchema("markers")

    private let markers: [MarkerDocument]

    public init(_ markers: [RecordedMarker]) { self.markers = markers.map(MarkerDocument.init) }

    public static let columns = MarkerDocument.columns
    public var rows: [[String]] { markers.map(\.row) }
}

extension PlacedMoment {
    /// Seconds since the boot; nil if the board had a clock.
    var secondsSinceStart: Double? { isOnWallClock ? nil : Double(time.milliseconds) / 1000 }
}

/// The event of a row of Herald's `contacts.csv`: the digit in the event's own column.
public enum HeraldEvent: UInt8, Sendable, CaseIterable {
    case detect = 1
    /// A payload was read; the data are its short name.
    case read = 2
    /// The data are an RSSI.
    case measure = 3
    /// A peer shared a payload that it had met; the data are the payload's short name.
    case share = 4
    /// A visit to a place; it has no device.
    case visit = 5
    /// The device turned out to support Herald. Since generation 2.
    case detectHerald = 6
    /// The device was forgotten. Since generation 2.
    case delete = 7

    var column: String {
        switch self {
        case .detect: "detect"
        case .read: "read"
        case .measure: "measure"
        case .share: "share"
        case .visit: "visit"
        case .detectHerald: "detectHerald"
        case .delete: "delete"
        }
    }

    public var digit: UInt8 { UInt8(ascii: "0") + rawValue }
}

/// The version of Herald that wrote a log, or must be able to read it.
public enum HeraldLogGeneration: Int, Sendable {
    /// Up to version 1.2: whole seconds, nine columns.
    case first = 1
    /// Version 2: milliseconds with a zone, eleven columns.
    case second = 2

    /// The events that have a column, in column order.
    public var events: [HeraldEvent] {
        self == .first ? [.detect, .read, .measure, .share, .visit] : HeraldEvent.allCases
    }

    public var columns: [String] { ["time", "sensor", "id"] + events.map(\.column) + ["data"] }
}

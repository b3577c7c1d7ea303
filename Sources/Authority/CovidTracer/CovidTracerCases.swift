import FixedMemory
import Schemes
import TextFormats

/// A day's key that an authority has published.
public struct CovidTracerCase: Equatable, Sendable {
    public let key: CovidTracerDailyKey
    /// Whether the reporting person claimed a positive test.
    public let isTested: Bool

    public init(key: CovidTracerDailyKey, isTested: Bool) {
        self.key = key
        self.isTested = isTested
    }

    /// `positive` or `symptomatic`.
    public var type: String { isTested ? "positive" : "symptomatic" }

    var json: JSONValue {
        .object([
            JSONMember("key", .string(key.text)),
            JSONMember("date", .string(key.date.text)),
            JSONMember("type", .string(type)),
        ])
    }

    init?(_ json: JSONValue) {
        guard let date = json["date"]?.string.flatMap({ CalendarDate(text: $0) }),
            let key = json["key"]?.string.flatMap({ CovidTracerDailyKey(date: date, text: $0) }),
            let type = json["type"]?.string
        else { return nil }
        self.init(key: key, isTested: type == "positive")
        guard self.type == type else { return nil }
    }
}

/// `cases.json`, the file that phones fetch.
public enum CovidTracerCases {
    public static func json(_ rows: [CovidTracerRow]) -> JSONValue {
        let cases = rows.map { CovidTracerCase(key: $0.key, isTested: $0.isTested).json }
        return .object([JSONMember("cases", .array(cases))])
    }

    /// Nil unless the JSON has only cases, with keys that the apps can read. Unknown members are ignored.
    public static func cases(_ json: JSONValue) -> [CovidTracerCase]? {
        guard let values = json["cases"]?.array else { return nil }
        let cases = values.compactMap(CovidTracerCase.init)
        return cases.count == values.count ? cases : nil
    }
}

import FixedMemory
import Schemes
import TextFormats

/// Day keys of people who have fallen ill, for comparison by others. Herald leaves their upload and
/// publication to apps, so the format, used for both, is this project's own:
///
///     {"format":"tabard-herald-matching-keys-1",
///      "keys":[{"key":"0123…","date":"2026-11-20"}]}
///
/// `key` has 64 digits. Sorted by `key`, so that the order does not reveal which keys belong to one person.
public struct HeraldMatchingKeys: PublishedEntries, Equatable, Sendable {
    public static let format = "tabard-herald-matching-keys-1"

    public private(set) var entries: [HeraldPublishedKey] = []

    public init() {}

    public init(_ keys: [HeraldMatchingKey]) { append(keys.map(HeraldPublishedKey.init)) }

    public mutating func append(_ own: [HeraldPublishedKey]) {
        var known = Set(entries.map(\.text))
        entries = (entries + own.filter { known.insert($0.text).inserted }).sorted { $0.text < $1.text }
    }

    public var json: JSONValue {
        .object([
            JSONMember("format", .string(Self.format)),
            JSONMember("keys", .array(entries.map(\.json))),
        ])
    }

    public init?(_ json: JSONValue) {
        guard let values = json["keys"]?.array else { return nil }
        append(values.compactMap(HeraldPublishedKey.init))
        guard self.json == json else { return nil }
    }
}

/// A day's key, and its day.
public struct HeraldPublishedKey: Equatable, Sendable {
    public let date: CalendarDate
    private let bytes: Bytes<32>

    public init(_ key: HeraldMatchingKey) {
        date = CalendarDate(daysSince1970: key.daysSince1970)
        bytes = key.key
    }

    public var key: HeraldMatchingKey { HeraldMatchingKey(daysSince1970: date.daysSince1970, key: bytes) }

    /// The key as 64 digits.
    public var text: String { Hexadecimal.text(bytes.array) }

    fileprivate var json: JSONValue {
        .object([JSONMember("key", .string(text)), JSONMember("date", .string(date.text))])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let date = json["date"]?.string.flatMap({ CalendarDate(text: $0) }),
            let digits = json["key"]?.string.flatMap({ Hexadecimal.bytes($0) }),
            let bytes = Bytes<32>(digits)
        else { return nil }
        self.date = date
        self.bytes = bytes
    }
}

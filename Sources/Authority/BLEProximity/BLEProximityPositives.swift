import Schemes
import TextFormats

/// The identities of people who have fallen ill, for comparison by others. BLE-Proximity never defined such a
/// list, so the format is this project's own:
///
///     {"format":"tabard-ble-proximity-positives-1",
///      "positives":[{"id":"0123456789abcdef","from":"2026-11-22T09:00:00Z",
///                    "until":"2026-11-22T09:15:00Z"}]}
///
/// `id` is the 64-bit number, most significant digit first; `until` is excluded from the interval. Sorted by
/// `id`, so that the order does not reveal which entries belong to one person.
public struct BLEProximityPositives: PublishedEntries, Equatable, Sendable {
    public static let format = "tabard-ble-proximity-positives-1"

    public private(set) var entries: [BLEProximityPositive] = []

    public init() {}

    public mutating func append(_ own: [BLEProximityPositive]) {
        let known = Set(entries.map(\.id))
        var fresh: [BLEProximityUserID: BLEProximityPositive] = [:]
        for entry in own where !known.contains(entry.id) { fresh[entry.id] = entry }
        entries = (entries + fresh.values).sorted { $0.id.value < $1.id.value }
    }

    /// Whether an identity seen at an instant belongs to a person who has fallen ill.
    public func contains(_ id: BLEProximityUserID, seenAt unixSeconds: UInt64) -> Bool {
        entries.contains { entry in
            entry.id == id
                && entry.validity.widened(by: BLEProximity.toleranceSeconds).contains(unixSeconds)
        }
    }

    public var json: JSONValue {
        .object([
            JSONMember("format", .string(Self.format)),
            JSONMember("positives", .array(entries.map(\.json))),
        ])
    }

    public init?(_ json: JSONValue) {
        guard json["format"]?.string == Self.format, let values = json["positives"]?.array else { return nil }
        for value in values {
            guard let entry = BLEProximityPositive(value) else { return nil }
            entries.append(entry)
        }
        guard self.json == json, zip(entries, entries.dropFirst()).allSatisfy({ $0.id.value < $1.id.value })
        else { return nil }
    }
}

public struct BLEProximityPositive: Equatable, Sendable {
    public let id: BLEProximityUserID
    public let validity: ValidityInterval

    public init(id: BLEProximityUserID, validity: ValidityInterval) {
        self.id = id
        self.validity = validity
    }

    /// The identity's number, most significant digit first.
    public var text: String { Hexadecimal.text(id.encoded.array.reversed()) }

    var json: JSONValue {
        .object([
            JSONMember("id", .string(text)),
            JSONMember("from", .string(UTCTime.text(validity.startSeconds))),
            JSONMember("until", .string(UTCTime.text(validity.endSeconds))),
        ])
    }

    init?(_ json: JSONValue) {
        guard let digits = json["id"]?.string, let bytes = Hexadecimal.bytes(digits), bytes.count == 8,
            let from = json["from"]?.string.flatMap(UTCTime.seconds),
            let until = json["until"]?.string.flatMap(UTCTime.seconds),
            let validity = ValidityInterval(startSeconds: from, endSeconds: until)
        else { return nil }
        id = BLEProximityUserID(bytes.reduce(0) { $0 << 8 | UInt64($1) })
        self.validity = validity
    }
}

import Archive
import Foundation

/// An encounter as `tabardctl encounters --json` prints it. Fields are added here, never renamed or removed.
public struct EncounterDocument: Encodable, Sendable {
    public let board: String
    public let scheme: String?
    public let identity: String?
    /// `written`: the peer wrote it, and was not asked. `time-unchecked`: the board could not compare a time in it.
    public let identityMarks: [String]
    public let label: String
    /// RFC 3339, UTC; null when the board had no clock.
    public let start: String?
    public let end: String?
    public let durationSeconds: Double
    /// The worst of all its times.
    public let clockErrorSeconds: Double?
    /// How far start and end may be off, either way; null when nobody can say, or when the board had no clock.
    public let startErrorSeconds: Double?
    public let endErrorSeconds: Double?
    /// What the times rest on: `host`, `system`, `order`, `unchecked` or `none`.
    public let clockBasis: String
    /// RFC 3339, UTC: what is known where there is no error; null where nothing is.
    public let notBefore: String?
    public let notAfter: String?
    public let readings: Int
    public let samples: Int
    public let rssi: Strength
    public let addresses: [String]
    /// In hexadecimal, bytes as on the air.
    public let pseudoAddresses: [String]
    public let model: String?
    public let manufacturer: String?
    /// How many starts of the agent it spans.
    public let boots: Int

    /// In dBm; all null when no sample was kept.
    public struct Strength: Encodable, Sendable {
        public let minimum: Int?
        public let maximum: Int?
        public let mean: Double?

        private enum CodingKeys: CodingKey { case minimum, maximum, mean }

        public func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(minimum, forKey: .minimum)
            try container.encode(maximum, forKey: .maximum)
            try container.encode(mean, forKey: .mean)
        }
    }

    public init(_ encounter: Encounter) {
        board = encounter.board.hexadecimal
        scheme = encounter.identity?.scheme.label
        identity = encounter.identity.flatMap { $0.lostHash == nil ? $0.hexadecimal : nil }
        identityMarks = encounter.identityMarks.names
        label = encounter.label
        start = encounter.isOnWallClock ? TimeText.utc(encounter.startMilliseconds) : nil
        end = encounter.isOnWallClock ? TimeText.utc(encounter.endMilliseconds) : nil
        durationSeconds = Double(encounter.durationMilliseconds) / 1000
        clockErrorSeconds = encounter.clockErrorMilliseconds.map { Double($0) / 1000 }
        startErrorSeconds = encounter.startErrorMilliseconds.map { Double($0) / 1000 }
        endErrorSeconds = encounter.endErrorMilliseconds.map { Double($0) / 1000 }
        clockBasis = encounter.basis.rawValue
        notBefore = encounter.notBeforeMilliseconds.map(TimeText.utc)
        notAfter = encounter.notAfterMilliseconds.map(TimeText.utc)
        readings = encounter.readingCount
        samples = encounter.samples.count
        let summary = encounter.rssi
        rssi = Strength(
            minimum: summary?.minimumDBm, maximum: summary?.maximumDBm,
            mean: summary.map { ($0.meanDBm * 10).rounded() / 10 })
        addresses = encounter.addresses.map(\.text)
        pseudoAddresses = encounter.pseudoAddresses.map(\.hexadecimal)
        model = encounter.model
        manufacturer = encounter.manufacturer
        boots = encounter.boots.count
    }

    private enum CodingKeys: CodingKey {
        case board, scheme, identity, identityMarks, label, start, end, durationSeconds, clockErrorSeconds,
            startErrorSeconds
        case endErrorSeconds, clockBasis, notBefore, notAfter, readings, samples
        case rssi, addresses, pseudoAddresses, model, manufacturer, boots
    }

    /// Every key is always there; what is not known is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(board, forKey: .board)
        try container.encode(scheme, forKey: .scheme)
        try container.encode(identity, forKey: .identity)
        try container.encode(identityMarks, forKey: .identityMarks)
        try container.encode(label, forKey: .label)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(durationSeconds, forKey: .durationSeconds)
        try container.encode(clockErrorSeconds, forKey: .clockErrorSeconds)
        try container.encode(startErrorSeconds, forKey: .startErrorSeconds)
        try container.encode(endErrorSeconds, forKey: .endErrorSeconds)
        try container.encode(clockBasis, forKey: .clockBasis)
        try container.encode(notBefore, forKey: .notBefore)
        try container.encode(notAfter, forKey: .notAfter)
        try container.encode(readings, forKey: .readings)
        try container.encode(samples, forKey: .samples)
        try container.encode(rssi, forKey: .rssi)
        try container.encode(addresses, forKey: .addresses)
        try container.encode(pseudoAddresses, forKey: .pseudoAddresses)
        try container.encode(model, forKey: .model)
        try container.encode(manufacturer, forKey: .manufacturer)
        try container.encode(boots, forKey: .boots)
    }

    /// The array, in UTF-8, with a line feed at its end; the same bytes for the same encounters.
    public static func json(_ encounters: [Encounter]) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(encounters.map(EncounterDocument.init)) + Data("\n".utf8)
    }
}

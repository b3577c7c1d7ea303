import Archive
import Foundation

/// An encounter as `tabardctl encounters --json` prints it. Fields are added here, never renamed or removed.
public struct EncounterDocument: Encodable, Sendable {
    public let board: String
    @NullIfUnknown public private(set) var scheme: String?
    @NullIfUnknown public private(set) var identity: String?
    /// `written`: the peer wrote it, and was not asked. `time-unchecked`: the board could not compare a time in it.
    public let identityMarks: [String]
    public let label: String
    /// What a Herald payload says in its extended data; empty for other schemes.
    public let extended: [HeraldDetail]
    /// RFC 3339, UTC; null when the board had no clock.
    @NullIfUnknown public private(set) var start: String?
    @NullIfUnknown public private(set) var end: String?
    public let durationSeconds: Double
    /// The worst of all its times.
    @NullIfUnknown public private(set) var clockErrorSeconds: Double?
    /// How far start and end may be off, either way; null when nobody can say, or when the board had no clock.
    @NullIfUnknown public private(set) var startErrorSeconds: Double?
    @NullIfUnknown public private(set) var endErrorSeconds: Double?
    /// What the times rest on: `host`, `system`, `order`, `unchecked` or `none`.
    public let clockBasis: String
    /// RFC 3339, UTC: what is known where there is no error; null where nothing is.
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
    public let readings: Int
    public let samples: Int
    public let rssi: Strength
    public let addresses: [String]
    /// In hexadecimal, bytes as on the air.
    public let pseudoAddresses: [String]
    @NullIfUnknown public private(set) var model: String?
    @NullIfUnknown public private(set) var manufacturer: String?
    /// How many starts of the agent it spans.
    public let boots: Int
    /// Where the board stood, as configured, in degrees (WGS 84); null when the configuration does not say.
    @NullIfUnknown public private(set) var latitude: Double?
    @NullIfUnknown public private(set) var longitude: Double?

    /// In dBm; all null when no sample was kept.
    public struct Strength: Encodable, Sendable {
        @NullIfUnknown public private(set) var minimum: Int?
        @NullIfUnknown public private(set) var maximum: Int?
        @NullIfUnknown public private(set) var mean: Double?
    }

    public init(_ encounter: Encounter) {
        board = encounter.board.hexadecimal
        scheme = encounter.identity?.scheme.label
        identity = encounter.identity.flatMap { $0.lostHash == nil ? $0.hexadecimal : nil }
        identityMarks = encounter.identityMarks.names
        label = encounter.label
        extended = encounter.identity?.details ?? []
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
            mean: summary?.meanDBm.roundedToTenths)
        addresses = encounter.addresses.map(\.text)
        pseudoAddresses = encounter.pseudoAddresses.map(\.hexadecimal)
        model = encounter.model
        manufacturer = encounter.manufacturer
        boots = encounter.boots.count
        latitude = encounter.position?.latitudeDegrees
        longitude = encounter.position?.longitudeDegrees
    }

    /// The array, in UTF-8, with a line feed at its end; the same bytes for the same encounters.
    public static func json(_ encounters: [Encounter]) throws -> Data {
        try PrintedJSON.data(encounters.map(EncounterDocument.init))
    }
}

import Archive
import Foundation

/// An encounter, as `tabardctl encounters --json` prints it. Later versions only add fields; they never
/// rename or remove one.
public struct EncounterDocument: Encodable, Sendable {
    public let board: String
    @NullIfUnknown public private(set) var scheme: String?
    @NullIfUnknown public private(set) var identity: String?
    /// `written`: the peer wrote its identity unasked. `time-unchecked`: the board could not verify a time in
    /// the identity.
    public let identityMarks: [String]
    /// Whether the board measured nothing of the encounter: the peer only wrote that it hears the board.
    public let isClaimed: Bool
    /// The number of RSSI readings that the peer wrote. They are in no other number here.
    public let writtenReadings: Int
    public let label: String
    /// The labels of the archive's boards that served this identity; empty for a stranger.
    public let ownBoards: [String]
    /// The name that the operator gave to the identity; null without one.
    @NullIfUnknown public private(set) var personName: String?
    /// The extended data of a Herald payload; empty for other schemes.
    public let extended: [HeraldDetail]
    /// RFC 3339, UTC; null if the board had no clock.
    @NullIfUnknown public private(set) var start: String?
    @NullIfUnknown public private(set) var end: String?
    public let durationSeconds: Double
    /// The worst error of all its times.
    @NullIfUnknown public private(set) var clockErrorSeconds: Double?
    /// The error bounds of start and end, either way; null if unknown or if the board had no clock.
    @NullIfUnknown public private(set) var startErrorSeconds: Double?
    @NullIfUnknown public private(set) var endErrorSeconds: Double?
    /// The basis of the times: `host`, `system`, `order`, `unchecked` or `none`.
    public let clockBasis: String
    /// Bounds of start and end if their error is unknown: RFC 3339, UTC; null if unknown.
    @NullIfUnknown public private(set) var notBefore: String?
    @NullIfUnknown public private(set) var notAfter: String?
    public let readings: Int
    public let samples: Int
    public let rssi: Strength
    public let addresses: [String]
    /// Hexadecimal, bytes in on-air order.
    public let pseudoAddresses: [String]
    @NullIfUnknown public private(set) var model: String?
    @NullIfUnknown public private(set) var manufacturer: String?
    /// The number of boots that it spans.
    public let boots: Int
    /// The configured position of the board in degrees (WGS 84); null if none is configured.
    @NullIfUnknown public private(set) var latitude: Double?
    @NullIfUnknown public private(set) var longitude: Double?

    /// RSSI values in dBm; all null if no sample was kept.
    public struct Strength: Encodable, Sendable {
        @NullIfUnknown public private(set) var minimum: Int?
        @NullIfUnknown public private(set) var maximum: Int?
        @NullIfUnknown public private(set) var mean: Double?
    }

    public init(_ encounter: EncounterSummary, among boards: OwnBoards = OwnBoards([])) {
        board = encounter.board.hexadecimal
        scheme = encounter.identity?.scheme.label
        identity = encounter.identity.flatMap { $0.lostHash == nil ? $0.hexadecimal : nil }
        identityMarks = encounter.identityMarks.names
        isClaimed = encounter.isClaimed
        writtenReadings = encounter.signal.writtenReadingCount
        label = encounter.label
        ownBoards = boards.labels(of: encounter)
        personName = boards.personName(of: encounter)
        extended = encounter.identity?.details ?? []
        start = encounter.wallClockStart.map(TimeText.utc)
        end = encounter.wallClockEnd.map(TimeText.utc)
        durationSeconds = encounter.duration.fractionalSeconds
        clockErrorSeconds = encounter.clockError?.fractionalSeconds
        startErrorSeconds = encounter.startError?.fractionalSeconds
        endErrorSeconds = encounter.endError?.fractionalSeconds
        clockBasis = encounter.basis.rawValue
        notBefore = encounter.notBefore.map(TimeText.utc)
        notAfter = encounter.notAfter.map(TimeText.utc)
        readings = encounter.readingCount
        samples = encounter.signal.sampleCount
        let summary = encounter.rssi
        rssi = Strength(
            minimum: summary?.minimumDBm, maximum: summary?.maximumDBm,
            mean: summary?.meanDBm.roundedToTenths)
        addresses = encounter.addresses.map(\.text)
        pseudoAddresses = encounter.peer.pseudoAddresses.map(\.hexadecimal)
        model = encounter.peer.model
        manufacturer = encounter.peer.manufacturer
        boots = encounter.boots.count
        latitude = encounter.position?.latitudeDegrees
        longitude = encounter.position?.longitudeDegrees
    }
}

import Authority
import Foundation

/// What `tabardctl authority sonar resolve` prints. Fields are added here, never renamed or removed; every key is always there, and
/// what is not known is null.
public struct SonarContactsDocument: Encodable, Sendable {
    /// Whose upload it is: a UUID.
    public let installation: String
    public let symptoms: [String]
    /// RFC 3339, UTC, as all times here.
    public let symptomsBegan: String
    public let contacts: [Row]

    public struct Row: Sendable {
        public let start: String
        public let durationSeconds: Int
        /// Whom it was with; null where that was refused.
        public let installation: String?
        public let referenceCode: String?
        /// The first check that failed; null where none did.
        public let refusal: String?
        public let readings: Int
        /// dBm; null where there are no readings.
        public let rssiMaximum: Int?
        public let rssiMean: Double?
    }

    public init(_ upload: SonarUpload, _ contacts: [SonarContact]) {
        installation = UUIDText.text(upload.installation)
        symptoms = upload.symptoms
        symptomsBegan = UTCTime.text(upload.symptomsSeconds)
        self.contacts = contacts.map(Row.init)
    }

    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    public static let columns = [
        "start", "duration_seconds", "installation", "reference_code", "refusal", "readings",
        "rssi_maximum_dbm", "rssi_mean_dbm",
    ]

    /// The contacts alone: RFC 4180, a header line, an empty field for what is not known.
    public var csv: String { ([Self.columns] + contacts.map(\.fields)).map(EncounterCSV.line).joined() }
}

extension SonarContactsDocument.Row: Encodable {
    fileprivate init(_ contact: SonarContact) {
        let event = contact.event
        let values = event.rssiValuesDBm.map(Int.init)
        start = UTCTime.text(UInt64(event.startSeconds))
        durationSeconds = Int(event.durationSeconds)
        installation = contact.installation?.identifierText
        referenceCode = contact.installation?.referenceCode.text
        refusal = contact.refusal.map { "\($0)" }
        readings = values.count
        rssiMaximum = values.max()
        let mean = Double(values.reduce(0, +)) / Double(max(1, values.count))
        rssiMean = values.isEmpty ? nil : (mean * 10).rounded() / 10
    }

    private enum CodingKeys: CodingKey {
        case start, durationSeconds, installation, referenceCode, refusal, readings, rssiMaximum, rssiMean
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(start, forKey: .start)
        try container.encode(durationSeconds, forKey: .durationSeconds)
        try container.encode(installation, forKey: .installation)
        try container.encode(referenceCode, forKey: .referenceCode)
        try container.encode(refusal, forKey: .refusal)
        try container.encode(readings, forKey: .readings)
        try container.encode(rssiMaximum, forKey: .rssiMaximum)
        try container.encode(rssiMean, forKey: .rssiMean)
    }

    fileprivate var fields: [String] {
        [
            start, "\(durationSeconds)", installation ?? "", referenceCode ?? "", refusal ?? "",
            "\(readings)", rssiMaximum.map { "\($0)" } ?? "", rssiMean.map { "\($0)" } ?? "",
        ]
    }
}

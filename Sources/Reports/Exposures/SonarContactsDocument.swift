import Authority
import TextFormats

/// The output of `tabardctl authority sonar resolve` for programs.
public struct SonarContactsDocument: PrintedDocument {
    public static let schema = PrintedSchema("sonar-contacts")

    /// The UUID of the uploading installation.
    public let installation: String
    public let symptoms: [String]
    /// RFC 3339, UTC, as are all times here.
    public let symptomsBegan: String
    public let contacts: [Row]

    public struct Row: Sendable {
        /// Null if the contact cannot be read.
        @NullIfUnknown public private(set) var start: String?
        @NullIfUnknown public private(set) var durationSeconds: Int?
        /// The installation that was met; null if the contact was refused.
        @NullIfUnknown public private(set) var installation: String?
        @NullIfUnknown public private(set) var referenceCode: String?
        /// The first check that failed; null if none did.
        @NullIfUnknown public private(set) var refusal: String?
        public let readings: Int
        /// dBm; null without readings.
        @NullIfUnknown public private(set) var rssiMaximum: Int?
        @NullIfUnknown public private(set) var rssiMean: Double?
    }

    public init(_ upload: SonarUpload, _ contacts: [SonarContact]) {
        installation = UUIDText.text(upload.installation)
        symptoms = upload.symptoms
        symptomsBegan = UTCTime.text(upload.symptomsSeconds)
        self.contacts = contacts.map(Row.init)
    }

    public static let columns = [
        "start", "duration_seconds", "installation", "reference_code", "refusal", "readings",
        "rssi_maximum_dbm", "rssi_mean_dbm",
    ]

    /// Only the contacts.
    public var rows: [[String]] { contacts.map(\.fields) }
}

extension SonarContactsDocument.Row: Encodable {
    fileprivate init(_ contact: SonarContact) {
        let event = contact.event
        let values = (event?.rssiValuesDBm ?? []).map { Int($0) }
        start = (event?.startSeconds).map { UTCTime.text(UInt64($0)) }
        durationSeconds = (event?.durationSeconds).map { Int($0) }
        installation = contact.installation?.identifierText
        referenceCode = contact.installation?.referenceCode.text
        refusal = contact.refusal.map { "\($0)" }
        readings = values.count
        rssiMaximum = values.max()
        let mean = Double(values.reduce(0, +)) / Double(max(1, values.count))
        rssiMean = values.isEmpty ? nil : mean.roundedToTenths
    }

    fileprivate var fields: [String] {
        [
            start ?? "", durationSeconds.map { "\($0)" } ?? "", installation ?? "", referenceCode ?? "",
            refusal ?? "",
            "\(readings)", rssiMaximum.map { "\($0)" } ?? "", rssiMean.map { "\($0)" } ?? "",
        ]
    }
}

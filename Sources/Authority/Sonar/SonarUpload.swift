import FixedMemory
import Schemes
import TextFormats

/// The upload of an installation whose owner has symptoms: the observed payloads, with signal strengths. It
/// is the body of a PATCH, in clear (contrary to the announcements); the sending installation signs the
/// request.
public struct SonarUpload: Equatable, Sendable {
    public static let method = "PATCH"
    public static let path = "/api/proximity-events/upload"
    public static let symptomNames = ["TEMPERATURE", "COUGH", "ANOSMIA", "SNEEZE", "NAUSEA"]

    /// How the two apps write the same upload.
    public enum Dialect: String, CaseIterable, Sendable {
        /// RSSI as an array, times of events as numbers.
        case iOS = "ios"
        /// RSSI as base64 of signed bytes, times as text, base64 in lines.
        case android
    }

    /// The UUID's 16 bytes.
    public let installation: Bytes<16>
    public let symptoms: [String]
    public let symptomsSeconds: UInt64
    /// The contacts; of one that cannot be read, the invalid field. It does not void the others, because a
    /// stranger may have made it.
    public let contacts: [Result<SonarContactEvent, SonarUploadError>]

    /// The contacts that can be read.
    public var events: [SonarContactEvent] { contacts.compactMap { try? $0.get() } }

    public init(
        installation: Bytes<16>, symptoms: [String], symptomsSeconds: UInt64, events: [SonarContactEvent]
    ) {
        self.init(installation, symptoms, symptomsSeconds, events.map { .success($0) })
    }

    private init(
        _ installation: Bytes<16>, _ symptoms: [String], _ symptomsSeconds: UInt64,
        _ contacts: [Result<SonarContactEvent, SonarUploadError>]
    ) {
        self.installation = installation
        self.symptoms = symptoms
        self.symptomsSeconds = symptomsSeconds
        self.contacts = contacts
    }

    public func body(_ dialect: Dialect) -> String {
        let identifier = UUIDText.text(installation, uppercase: dialect == .iOS)
        return JSONValue.object([
            JSONMember("sonarId", .string(identifier)),
            JSONMember("symptoms", .array(symptoms.map(JSONValue.string))),
            JSONMember("symptomsTimestamp", .string(UTCTime.text(symptomsSeconds))),
            JSONMember("contactEvents", .array(events.map { $0.json(dialect) })),
        ]).text
    }

    /// Parses either dialect.
    /// - Throws: ``SonarUploadError`` with the invalid field, unless it is one of a contact.
    public init(body: [UInt8]) throws(SonarUploadError) {
        let json: JSONValue
        do throws(JSONError) { json = try JSONReader.read(body) } catch {
            throw SonarUploadError(field: error.description)
        }
        guard let installation = json["sonarId"]?.string.flatMap(UUIDText.bytes) else {
            throw SonarUploadError(field: "sonarId")
        }
        guard let symptoms = json["symptoms"]?.array?.map(\.string) else {
            throw SonarUploadError(field: "symptoms")
        }
        guard let seconds = json["symptomsTimestamp"]?.string.flatMap(UTCTime.seconds) else {
            throw SonarUploadError(field: "symptomsTimestamp")
        }
        guard let values = json["contactEvents"]?.array else {
            throw SonarUploadError(field: "contactEvents")
        }
        let contacts = values.map { value in
            Result { () throws(SonarUploadError) in try SonarContactEvent(value) }
        }
        var names: [String] = []
        for symptom in symptoms {
            guard let symptom, Self.symptomNames.contains(symptom) else {
                throw SonarUploadError(field: "symptoms")
            }
            names.append(symptom)
        }
        self.init(installation, names, seconds, contacts)
    }
}

/// The field that is missing or has an invalid value.
public struct SonarUploadError: Error, Equatable, Sendable {
    public let field: String
}

/// UUIDs as text: 8-4-4-4-12 digits.
public enum UUIDText {
    public static func text(_ bytes: Bytes<16>, uppercase: Bool = false) -> String {
        let digits = Array(Hexadecimal.text(bytes.array, uppercase: uppercase))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }

    /// Parses a UUID with letters of one case only.
    public static func bytes(_ text: String) -> Bytes<16>? {
        for uppercase in [false, true] {
            let digits = text.filter { $0 != "-" }
            guard let bytes = Hexadecimal.bytes(digits, uppercase: uppercase).flatMap({ Bytes<16>($0) }),
                self.text(bytes, uppercase: uppercase) == text
            else { continue }
            return bytes
        }
        return nil
    }
}

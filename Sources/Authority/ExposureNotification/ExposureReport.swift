import FixedMemory
import Schemes
import TextFormats

/// The upload of a person who has fallen ill: the keys of that person's days. The format is that of
/// google/exposure-notifications-server (`/v1/publish`) at 2041f77a. The certificate by which a health
/// authority confirms a test is left empty.
public struct ExposureReport: Equatable, Sendable {
    public static let method = "POST"
    public static let path = "/v1/publish"
    /// As in that server.
    public static let maximumKeyCount = 30
    /// Bodies have this length or a multiple of it: room for 30 keys, and at least 1 KiB of padding.
    public static let bodyByteCount = 5_120
    /// The characters of the padding, which nobody reads.
    private static let paddingCharacters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    public let keys: [TemporaryExposureKey]
    /// The keys that cannot be used.
    public let refusals: [KeyRefusal]
    /// The identifier of the authority that the report is for.
    public let healthAuthority: String
    /// The ten minutes in which the symptoms began; nil if unknown.
    public let symptomOnset: ExposureNotificationInterval?

    public init(
        keys: [TemporaryExposureKey], healthAuthority: String, symptomOnset: ExposureNotificationInterval?
    ) {
        self.init(ReportedKeys(keys: keys), healthAuthority: healthAuthority, symptomOnset: symptomOnset)
    }

    private init(
        _ reported: ReportedKeys, healthAuthority: String, symptomOnset: ExposureNotificationInterval?
    ) {
        keys = reported.keys
        refusals = reported.refusals
        self.healthAuthority = healthAuthority
        self.symptomOnset = symptomOnset
    }

    /// The request that an app sends, padded to one length, so that its size does not reveal the number of
    /// keys.
    public func request(host: String, using generator: inout some RandomNumberGenerator) -> HTTPRequest {
        let bareCount = json(padding: "").text.utf8.count
        let wanted = (bareCount / Self.bodyByteCount + 1) * Self.bodyByteCount
        let padding = (bareCount..<wanted).map { _ in
            Self.paddingCharacters[.random(in: Self.paddingCharacters.indices, using: &generator)]
        }
        return HTTPRequest(
            method: Self.method, path: Self.path,
            fields: [.init("Host", host), .init("Content-Type", "application/json")],
            body: Array(json(padding: String(padding)).text.utf8))
    }

    private func json(padding: String) -> JSONValue {
        var members = [
            JSONMember("temporaryExposureKeys", .array(keys.map(\.json))),
            JSONMember("healthAuthorityID", .string(healthAuthority)),
            JSONMember("verificationPayload", .string("")),
            JSONMember("hmacKey", .string("")),
        ]
        if let symptomOnset {
            members.append(JSONMember("symptomOnsetInterval", .integer(symptomOnset.number)))
        }
        members += [
            JSONMember("traveler", .bool(false)), JSONMember("revisionToken", .string("")),
            JSONMember("padding", .string(padding)),
        ]
        return .object(members)
    }

    /// Nil for any other request. A key that cannot be used does not cost the others.
    public init?(_ request: HTTPRequest) {
        guard request.method == Self.method, request.path == Self.path,
            let json = try? JSONReader.read(request.body), let keys = ReportedKeys(json),
            let healthAuthority = json["healthAuthorityID"]?.string
        else { return nil }
        let onset = json["symptomOnsetInterval"]
        guard let number = onset.map({ $0.integer(UInt32.self) }) ?? 0 else { return nil }
        self.init(
            keys, healthAuthority: healthAuthority,
            symptomOnset: number == 0 ? nil : ExposureNotificationInterval(number: number))
    }

    /// A key of a report that cannot be used.
    public struct KeyRefusal: Equatable, Sendable {
        /// Counted from 1.
        public let place: Int
        public let defect: ExportedKeyDefect
    }

    /// The keys in the member `temporaryExposureKeys` of a report or a file of own keys. Other members are
    /// ignored.
    public struct ReportedKeys: Equatable, Sendable {
        public private(set) var keys: [TemporaryExposureKey]
        public private(set) var refusals: [KeyRefusal] = []

        init(keys: [TemporaryExposureKey]) { self.keys = keys }

        /// Nil unless there is a list of keys.
        public init?(_ json: JSONValue) {
            guard let values = json["temporaryExposureKeys"]?.array else { return nil }
            keys = []
            for (index, value) in values.enumerated() {
                do throws(ExportedKeyDefect) {
                    keys.append(try ExportedKey(reported: value).key())
                } catch {
                    refusals.append(KeyRefusal(place: index + 1, defect: error))
                }
            }
        }
    }
}

extension ExportedKey {
    /// A key as a report has it. Without a period it lasts a day.
    fileprivate init(reported json: JSONValue) throws(ExportedKeyDefect) {
        let period = json["rollingPeriod"]
        guard let data = json["key"]?.string.flatMap(Base64.bytes) else { throw .unreadable }
        guard let start = json["rollingStartNumber"]?.integer(UInt32.self) else { throw .noRollingStart }
        guard let number = period.map({ $0.integer(Int32.self) }) ?? Self.standardRollingPeriod else {
            throw .unreadable
        }
        self.init(data: data, rollingStart: Int32(bitPattern: start), rollingPeriod: number)
    }
}

extension TemporaryExposureKey {
    /// The key's validity in seconds since 1970; from 00:00 to 24:00 for a whole day's key.
    public var validity: ValidityInterval {
        let start = UInt64(rollingStart.number) * 600
        return ValidityInterval(startSeconds: start, endSeconds: start + UInt64(rollingPeriod) * 600)
            ?? ValidityInterval(around: start, periodSeconds: 600)
    }

    fileprivate var json: JSONValue {
        .object([
            JSONMember("key", .string(Base64.text(data.array))),
            JSONMember("rollingStartNumber", .integer(rollingStart.number)),
            JSONMember("rollingPeriod", .integer(rollingPeriod)),
            JSONMember("transmissionRisk", .integer(0)),
        ])
    }
}

import FixedMemory
import Schemes

/// A device that has registered.
public struct SonarInstallation: Equatable, Sendable {
    /// The UUID's 16 bytes.
    public let identifier: Bytes<16>
    /// Signs its payloads and requests.
    public let secret: Bytes<32>
    public let referenceCode: SonarReferenceCode
    public let registeredAt: UInt64
}

/// The authority's register of installations, in a form of ours:
///
///     {"format":"tabard-sonar-register-1",
///      "installations":[{"id":"e1d160c7-…","secret":"…","code":"xxxx-xxxx","registered":"2026-11-22T09:00:00Z"}]}
///
/// Secrets in base64. Only its authority may read it: who has the list can tell whose any payload is, and pretend to be anybody.
public struct SonarRegister: JSONDocument, Equatable, Sendable {
    public static let format = "tabard-sonar-register-1"

    public private(set) var installations: [SonarInstallation] = []
    private var places: [[UInt8]: Int] = [:]

    public init() {}

    public subscript(identifier: Bytes<16>) -> SonarInstallation? {
        places[identifier.array].map { installations[$0] }
    }

    public subscript(code: SonarReferenceCode) -> SonarInstallation? {
        installations.first { $0.referenceCode == code }
    }

    /// A new installation, with a number, a secret and a code that no other has.
    ///
    /// - Parameter generator: one that nobody can foresee.
    public mutating func register(
        at unixSeconds: UInt64, using generator: inout some RandomNumberGenerator
    ) -> SonarInstallation {
        var identifier = Bytes<16>()
        var secret = Bytes<32>()
        for index in 0..<16 { identifier[index] = .random(in: .min ... .max, using: &generator) }
        for index in 0..<32 { secret[index] = .random(in: .min ... .max, using: &generator) }
        // A random UUID (RFC 9562, 5.4).
        identifier[6] = identifier[6] & 0x0f | 0x40
        identifier[8] = identifier[8] & 0x3f | 0x80
        let known = Set(installations.map(\.referenceCode))
        var code = SonarReferenceCode(using: &generator)
        while known.contains(code) { code = SonarReferenceCode(using: &generator) }
        let installation = SonarInstallation(
            identifier: identifier, secret: secret, referenceCode: code, registeredAt: unixSeconds)
        append(installation)
        return installation
    }

    private mutating func append(_ installation: SonarInstallation) {
        places[installation.identifier.array] = installations.count
        installations.append(installation)
    }

    public var json: JSONValue {
        .object([
            JSONMember("format", .string(Self.format)),
            JSONMember("installations", .array(installations.map(\.json))),
        ])
    }

    public init?(_ json: JSONValue) {
        guard let values = json["installations"]?.array else { return nil }
        for value in values {
            guard let installation = SonarInstallation(value), self[installation.identifier] == nil else {
                return nil
            }
            append(installation)
        }
        guard self.json == json else { return nil }
    }
}

extension SonarInstallation {
    public var identifierText: String { UUIDText.text(identifier) }

    fileprivate var json: JSONValue {
        .object([
            JSONMember("id", .string(identifierText)),
            JSONMember("secret", .string(Base64.text(secret.array))),
            JSONMember("code", .string(referenceCode.text)),
            JSONMember("registered", .string(UTCTime.text(registeredAt))),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let identifier = json["id"]?.string.flatMap(UUIDText.bytes),
            let secret = json["secret"]?.string.flatMap(Base64.bytes).flatMap({ Bytes<32>($0) }),
            let code = json["code"]?.string.flatMap({ SonarReferenceCode($0) }),
            let registeredAt = json["registered"]?.string.flatMap(UTCTime.seconds)
        else { return nil }
        self.init(
            identifier: identifier, secret: secret, referenceCode: code, registeredAt: registeredAt)
    }
}

import FixedMemory
import Schemes
import TextFormats

/// A registered device.
public struct SonarInstallation: Equatable, Sendable {
    /// The UUID's 16 bytes.
    public let identifier: Bytes<16>
    /// The secret that signs its payloads and requests.
    public let secret: Bytes<32>
    public let referenceCode: SonarReferenceCode
    public let registeredAt: UInt64
    /// When the reference code was used; nil if it was not.
    public private(set) var redeemedAt: UInt64?

    /// Why the reference code is no longer valid; nil if it is valid.
    public func codeRefusal(at unixSeconds: UInt64) -> SonarCodeRefusal? {
        if let redeemedAt { return .redeemed(at: redeemedAt) }
        let end = registeredAt + SonarRegister.codeLifetimeSeconds
        return unixSeconds < end ? nil : .expired(at: end)
    }

    fileprivate mutating func redeem(at unixSeconds: UInt64) throws(SonarCodeRefusal) {
        if let refusal = codeRefusal(at: unixSeconds) { throw refusal }
        redeemedAt = unixSeconds
    }
}

/// Why a reference code is refused. Times are seconds since 1970.
public enum SonarCodeRefusal: Error, Equatable, Sendable {
    /// No installation has this code.
    case unknown
    /// It was used before; a code is valid once.
    case redeemed(at: UInt64)
    /// Its two weeks ended at this time.
    case expired(at: UInt64)
}

/// The authority's register of installations, in a format of this project:
///
///     {"format":"tabard-sonar-register-1",
///      "installations":[{"id":"e1d160c7-…","secret":"…","code":"xxxx-xxxx",
///                        "registered":"2026-11-22T09:00:00Z","redeemed":"2026-11-24T10:00:00Z"}]}
///
/// Secrets are in base64; `redeemed` is present only if the code was used. Only the authority may read the
/// register: its secrets identify the sender of any payload, and allow impersonating any installation.
public struct SonarRegister: JSONDocument, Equatable, Sendable {
    public static let format = "tabard-sonar-register-1"
    /// Two weeks from registration.
    public static let codeLifetimeSeconds: UInt64 = 14 * 86_400
    /// Numbers of ISO 3166-1. Receivers accept no payload with another number.
    public static let countries: ClosedRange<UInt16> = 1...999

    public private(set) var installations: [SonarInstallation] = []
    private var places: [[UInt8]: Int] = [:]

    public init() {}

    public subscript(identifier: Bytes<16>) -> SonarInstallation? {
        places[identifier.array].map { installations[$0] }
    }

    public subscript(code: SonarReferenceCode) -> SonarInstallation? {
        installations.first { $0.referenceCode == code }
    }

    /// Adds an installation with a unique number, secret and code.
    ///
    /// - Parameter generator: an unpredictable one.
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

    /// Redeems a reference code, which is valid once and for two weeks.
    public mutating func redeem(
        _ code: SonarReferenceCode, at unixSeconds: UInt64
    ) throws(SonarCodeRefusal) -> SonarInstallation {
        guard let place = installations.firstIndex(where: { $0.referenceCode == code }) else {
            throw .unknown
        }
        try installations[place].redeem(at: unixSeconds)
        return installations[place]
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
        .object(
            [
                JSONMember("id", .string(identifierText)),
                JSONMember("secret", .string(Base64.text(secret.array))),
                JSONMember("code", .string(referenceCode.text)),
                JSONMember("registered", .string(UTCTime.text(registeredAt))),
            ] + (redeemedAt.map { [JSONMember("redeemed", .string(UTCTime.text($0)))] } ?? []))
    }

    fileprivate init?(_ json: JSONValue) {
        guard let identifier = json["id"]?.string.flatMap(UUIDText.bytes),
            let secret = json["secret"]?.string.flatMap(Base64.bytes).flatMap({ Bytes<32>($0) }),
            let code = json["code"]?.string.flatMap({ SonarReferenceCode($0) }),
            let registeredAt = json["registered"]?.string.flatMap(UTCTime.seconds)
        else { return nil }
        self.init(
            identifier: identifier, secret: secret, referenceCode: code, registeredAt: registeredAt,
            redeemedAt: json["redeemed"]?.string.flatMap(UTCTime.seconds))
    }
}

import FixedMemory
import Schemes
import TextFormats

extension SonarUpload {
    static let timeField = "Sonar-Request-Timestamp"
    static let signatureField = "Sonar-Message-Signature"

    /// The signed request that an app sends. (Both apps sent two more fields, by which the authority
    /// recognised its app.)
    ///
    /// - Parameter unixSeconds: the time of sending.
    public func request(
        _ dialect: Dialect, host: String, at unixSeconds: UInt64, secret: Bytes<32>
    ) throws(SonarRefusal) -> HTTPRequest {
        let time = UTCTime.text(unixSeconds)
        let body = Array(body(dialect).utf8)
        let timeBytes = Array(time.utf8)
        let signature = try SonarRequest.signature(
            timestamp: timeBytes.span, body: body.span, secret: secret)
        return HTTPRequest(
            method: Self.method, path: Self.path,
            fields: [
                .init("Host", host), .init("Content-Type", "application/json"), .init(Self.timeField, time),
                .init(Self.signatureField, Base64.text(signature.array)),
            ], body: body)
    }

    /// Parses a request, and verifies the signature of the installation that it names. The caller decides how
    /// old a request may be.
    public init(_ request: HTTPRequest, from register: SonarRegister) throws(SonarRequestRefusal) {
        guard request.method == Self.method, request.path == Self.path else { throw .otherRequest }
        // Time and body are signed as one text, so a time of another length could contain a part of the body.
        guard let time = request[Self.timeField], UTCTime.seconds(time) != nil else { throw .noTime }
        guard let signature = request[Self.signatureField].flatMap(Base64.bytesWithinLines) else {
            throw .notSigned
        }
        do throws(SonarUploadError) { try self.init(body: request.body) } catch {
            throw .malformed(error.field)
        }
        guard let installation = register[self.installation] else { throw .unknownInstallation }
        let timeBytes = Array(time.utf8)
        let expected = try? SonarRequest.signature(
            timestamp: timeBytes.span, body: request.body.span, secret: installation.secret)
        guard let expected, let given = Bytes<32>(signature), given == expected else { throw .notSigned }
    }
}

/// Why an upload is refused.
public enum SonarRequestRefusal: Error, Equatable, Sendable {
    case otherRequest
    case noTime
    /// The invalid field of the body.
    case malformed(String)
    case unknownInstallation
    /// The signature is missing, or is not the installation's over this time and body.
    case notSigned
}

import Authority
import Cryptography
import FixedMemory
import Schemes

/// The sections of Sonar's vectors.
enum SonarVectors {
    static func cases(_ section: String, _ root: VectorObject) throws(VectorError) -> [VectorCase] {
        switch section {
        case "official_encrypter": [VectorCase(try root.object(section), SonarValueVectors.checkOfficial)]
        case "official_ios_payload_auth", "official_android_payload_auth":
            [VectorCase(try root.object(section), SonarValueVectors.checkAuth)]
        case "official_request_signature": [VectorCase(try root.object(section), requestSignature)]
        case "official_spki_to_x963": [VectorCase(try root.object(section), publicKey)]
        case "official_uuid_bytes": [VectorCase(try root.object(section), identifier)]
        case "vectors": try values(root)
        case "negative_cryptograms":
            try root.objects(section).map {
                VectorCase($0) { try SonarNegativeVectors.checkCryptogram($0, root) }
            }
        case "negative_payloads":
            try root.objects(section).map {
                VectorCase($0) { try SonarNegativeVectors.checkPayload($0, root) }
            }
        case "replay_checks": try SonarReplayVectors.cases(root)
        case "upload": [VectorCase(try root.object(section)) { try SonarUploadVectors.check($0, root) }]
        default: throw root.error(section, "is not understood")
        }
    }

    private static func values(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        let section = try root.object("vectors")
        let cases = try section.objects("cases")
        let keys = VectorCase(section) { section in
            _ = try section.value("cases")
            let key = try P256PrivateKey(scalar: section.block("server_private_hex"), entropy: .system)
                .publicKey
            try section.expect("server_public_x963", key.x963)
            try section.expect("server_public_compressed", key.compressed)
            try section.expectBase64("server_public_spki_b64", key.subjectPublicKeyInfo.array)
        }
        return [keys] + cases.map { VectorCase($0) { try SonarValueVectors.check($0, root) } }
    }

    private static func requestSignature(_ object: VectorObject) throws {
        let secret: Bytes<32> = try object.base64Block("key_b64")
        try checkSignature(object, secret)
    }

    static func checkSignature(_ object: VectorObject, _ secret: Bytes<32>) throws {
        let timestamp = Array(try object.text("timestamp_header").utf8)
        let body = Array(try object.text("body_utf8").utf8)
        let signature = try SonarRequest.signature(timestamp: timestamp.span, body: body.span, secret: secret)
        try object.expectBase64("signature_header", signature.array)
    }

    private static func publicKey(_ object: VectorObject) throws {
        let information = try object.base64("spki_b64")
        let key = try P256PublicKey(subjectPublicKeyInfo: information.span)
        try object.expectBase64("spki_b64", key.subjectPublicKeyInfo.array)
        try object.expectBase64("x963_b64", key.x963.array)
    }

    private static func identifier(_ object: VectorObject) throws {
        let bytes: Bytes<16> = try object.base64Block("bytes_b64")
        try object.expect("uuid", UUIDText.text(bytes, uppercase: true))
    }

    /// The authority's private number in `vectors`.
    static func serverScalar(_ root: VectorObject) throws -> Bytes<32> {
        try root.object("vectors").block("server_private_hex")
    }

    static func payload(_ reference: VectorObject) throws -> SonarPayload {
        let bytes = try reference.bytes("payload_129")
        return try SonarPayload(parsing: bytes.span)
    }

    static func referenceCases(_ root: VectorObject) throws -> [VectorObject] {
        try root.object("vectors").objects("cases")
    }
}

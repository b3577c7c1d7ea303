import Authority
import Cryptography
import FixedMemory
import Schemes
import TextFormats

/// Broadcast values with every intermediate step, and the payloads made of them.
enum SonarValueVectors {
    static func checkOfficial(_ object: VectorObject) throws {
        let scalar: Bytes<32> = try object.block("server_private_hex")
        let server = try P256PrivateKey(scalar: scalar, entropy: .system).publicKey
        try object.expect("server_public_x963", server.x963)
        try object.expectBase64("server_public_spki_b64", server.subjectPublicKeyInfo.array)
        let message = try message("m", object)
        try checkMessage(object, message)
        let agreement = try agreement(object, server)
        try object.expect("z", agreement.secret)
        try object.expect("shared_info", agreement.ephemeralKey)
        let keys = SonarSealingKeys(agreement)
        try object.expect("kdf_output", keys.key.array + keys.nonce.array)
        try object.expect("aes_key", keys.key)
        try object.expect("gcm_iv_16", keys.nonce)
        let value = try SonarBroadcastValue(sealing: message, by: agreement)
        let cryptogram = [UInt8](copying: value.cryptogram)
        try object.expect("ciphertext", Array(cryptogram[64..<90]))
        try object.expect("icv", Array(cryptogram[90..<106]))
        try object.expect("cryptogram_106", cryptogram)
        try checkHeader(object, value, message, scalar)
    }

    static func check(_ object: VectorObject, _ root: VectorObject) throws {
        let scalar = try SonarVectors.serverScalar(root)
        let server = try P256PrivateKey(scalar: scalar, entropy: .system).publicKey
        let stated: UInt16 = try object.integer("country")
        let message = try message("m_26", object)
        try object.expect("country", message.country)
        try checkMessage(object, message)
        try object.expect("start_iso", UTCTime.text(UInt64(message.startSeconds)))
        try object.expect("end_iso", UTCTime.text(UInt64(message.endSeconds)))
        let agreement = try agreement(object, server)
        try object.expect("z_32", agreement.secret)
        try object.expect("shared_info_65", agreement.ephemeralKey)
        let keys = SonarSealingKeys(agreement)
        try object.expect("kdf_output_32", keys.key.array + keys.nonce.array)
        try object.expect("aes_key_16", keys.key)
        try object.expect("gcm_iv_16", keys.nonce)
        let value = try SonarBroadcastValue(sealing: message, by: agreement)
        let cryptogram = [UInt8](copying: value.cryptogram)
        try object.expect("ciphertext_26", Array(cryptogram[64..<90]))
        try object.expect("icv_16", Array(cryptogram[90..<106]))
        try object.expect("cryptogram_106", cryptogram)
        try object.expect("broadcast_value_108", value.bytes)
        guard value.country == stated else { throw object.error("country", "is not the broadcast value's") }
        try checkHeader(object, value, message, scalar)
        try checkPayload(object, value)
    }

    private static func checkPayload(_ object: VectorObject, _ value: SonarBroadcastValue) throws {
        let secret: Bytes<32> = try object.block("hmac_key_32")
        let time: UInt32 = try object.integer("tx_time")
        try object.expect("tx_time_iso", UTCTime.text(UInt64(time)))
        let payload = try SonarPayload(
            value, txPowerDBm: object.integer("tx_power"), transmissionSeconds: time, secret: secret)
        try object.expect("hmac_input_113", payload.signed)
        try object.expect("auth_16", payload.auth)
        try object.expect("payload_129", payload.encoded)
        try object.expectBase64("payload_b64", payload.encoded.array)
        guard try SonarVectors.payload(object) == payload else {
            throw object.error("payload_129", "is read as another payload")
        }
        try payload.verify(secret: secret)
    }

    private static func message(_ name: String, _ object: VectorObject) throws -> SonarMessage {
        let bytes = try object.bytes(name)
        return try SonarMessage(parsing: bytes.span)
    }

    private static func checkMessage(_ object: VectorObject, _ message: SonarMessage) throws {
        try object.expect("start", message.startSeconds)
        try object.expect("end", message.endSeconds)
        try object.expect("installation_id", UUIDText.text(message.installation))
    }

    private static func agreement(_ object: VectorObject, _ server: P256PublicKey) throws -> P256Agreement {
        var device = try P256PrivateKey(scalar: object.block("device_private_hex"), entropy: .system)
        try object.expect("device_public_x963", device.publicKey.x963)
        let secret = try device.sharedSecret(with: server, entropy: .system)
        return P256Agreement(ephemeralKey: device.publicKey.x963, secret: secret)
    }

    private static func checkHeader(
        _ object: VectorObject, _ value: SonarBroadcastValue, _ message: SonarMessage, _ scalar: Bytes<32>
    ) throws {
        var resolver = try SonarResolver(scalar: scalar, entropy: .system)
        guard try resolver.open(value) == message else {
            throw object.error("cryptogram_106", "is opened to another message")
        }
    }

    // MARK: The code at the end alone, over bytes without a valid point

    static func checkAuth(_ object: VectorObject) throws {
        var broadcast = try country(object)
        broadcast += try cryptogram(object)
        guard let value = Bytes<108>(broadcast) else { throw object.error("cryptogram", "not 106 bytes") }
        let signed = SonarPayload.signed(
            value, try object.integer("tx_power"), try object.integer("tx_time"))
        try object.expect("hmac_input_113", signed)
        let auth = try SonarPayload.auth(of: signed.span, secret: object.base64Block("hmac_key_b64"))
        try object.expectBase64("auth_16_b64", auth.array)
        try object.expect("payload_129", signed.array + auth.array)
    }

    private static func country(_ object: VectorObject) throws -> [UInt8] {
        if object.has("country") {
            let number: UInt16 = try object.integer("country")
            return [UInt8(number >> 8), UInt8(number & 255)]
        }
        // Two bytes, and the letters that they are in ASCII.
        let text = try object.text("country_bytes")
        guard let bytes = Hexadecimal.bytes(String(text.prefix(4))), bytes.count == 2 else {
            throw object.error("country_bytes", "does not begin with two bytes")
        }
        let letters = String(decoding: bytes, as: UTF8.self)
        try object.expect("country_bytes", "\(Hexadecimal.text(bytes)) (ASCII \(letters) in this test)")
        return bytes
    }

    private static func cryptogram(_ object: VectorObject) throws -> [UInt8] {
        if object.has("cryptogram_106") { return try object.bytes("cryptogram_106") }
        try object.expect("cryptogram", "106 zero bytes")
        return [UInt8](repeating: 0, count: SonarBroadcastValue.cryptogramByteCount)
    }
}

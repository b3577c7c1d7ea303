import Cryptography
import FixedMemory

/// A record of secrets, sealed for one board's key. Nobody who listens on the line can read it, and neither
/// can a device in the board's place.
///
/// | bytes | content |
/// |---|---|
/// | 64 | both coordinates of a fresh public key, big-endian |
/// | as the record | the record, encrypted with AES-256-GCM |
/// | 16 | the tag |
///
/// The key comes by HKDF with SHA-256 from the x coordinate that the fresh key and the board's key agree on.
/// The salt is the log identity, the info both coordinates of the fresh key. Each fresh key serves one
/// record, so the nonce is 12 zero bytes. "tabard secrets 1" is authenticated too.
public enum SealedRecord {
    /// The bytes of a sealed record beside the record.
    public static let overheadByteCount = ephemeralByteCount + tagByteCount
    static let ephemeralByteCount = 64
    private static let tagByteCount = 16

    /// Seals a record. For the host: it blocks for as long as the key agreement takes.
    ///
    /// - Throws: `.wrongLength` if the record has more than 1,968 bytes.
    public static func seal(
        _ record: Span<UInt8>, for boardKey: P256PublicKey, logIdentity: Bytes<16>, entropy: Entropy
    ) throws(CryptographyError) -> FixedBuffer<2048> {
        var job = try P256AgreementJob(with: boardKey, entropy: entropy)
        while try !job.advance() {}
        guard var agreement = try job.agreement() else { throw .wrongLength }
        defer { agreement.wipe() }
        let ephemeral = agreement.ephemeralKey
        let range = ephemeralByteCount..<ephemeralByteCount + record.count
        var bytes = InlineArray<2048, UInt8>(repeating: 0)
        guard range.upperBound + tagByteCount <= bytes.count else { throw .wrongLength }
        for index in 0..<ephemeralByteCount { bytes[index] = ephemeral[index + 1] }
        for index in record.indices { bytes[range.lowerBound + index] = record[index] }
        var cipher = try cipher(agreement.secret, ephemeral.span.extracting(1..<65), logIdentity)
        var room = bytes.mutableSpan
        var text = room.extracting(range)
        let tag = try cipher.seal(&text, nonce: nonce.span, authenticating: purpose.span)
        cipher.wipe()
        for index in 0..<tagByteCount { bytes[range.upperBound + index] = tag[index] }
        return FixedBuffer(bytes.span.extracting(first: range.upperBound + tagByteCount)) ?? FixedBuffer()
    }

    /// The public key at the beginning of a sealed record.
    ///
    /// - Throws: `.invalidPublicKey` if the bytes are not a point on the curve.
    static func ephemeralKey(of sealed: Span<UInt8>) throws(CryptographyError) -> P256PublicKey {
        try P256PublicKey(coordinates: sealed.extracting(first: ephemeralByteCount))
    }

    /// Decrypts a sealed record in place. The first 64 bytes, and the tag at the end, stay as they are.
    ///
    /// - Parameter secret: what the fresh key and the board's key agree on.
    /// - Throws: `.authenticationFailed` if it was sealed for another key or log.
    static func open(
        _ sealed: inout MutableSpan<UInt8>, _ secret: Bytes<32>, logIdentity: Bytes<16>
    ) throws(CryptographyError) {
        var cipher = try cipher(secret, sealed.span.extracting(first: ephemeralByteCount), logIdentity)
        let tag = Bytes<16>(sealed.span.extracting(last: tagByteCount)) ?? Bytes()
        var text = sealed.extracting(ephemeralByteCount..<sealed.count - tagByteCount)
        try cipher.open(&text, tag: tag, nonce: nonce.span, authenticating: purpose.span)
        cipher.wipe()
    }

    private static var nonce: Bytes<12> { Bytes() }

    private static var purpose: FixedBuffer<16> {
        var purpose = FixedBuffer<16>()
        try? purpose.append("tabard secrets 1" as StaticString)
        return purpose
    }

    private static func cipher(
        _ secret: Bytes<32>, _ ephemeral: Span<UInt8>, _ logIdentity: Bytes<16>
    ) throws(CryptographyError) -> AESGCM {
        var key = Bytes<32>()
        defer { key.wipe() }
        var destination = key.mutableSpan
        try HKDFSHA256.derive(&destination, from: secret.span, salt: logIdentity.span, info: ephemeral)
        return try AESGCM(key: key.span)
    }
}

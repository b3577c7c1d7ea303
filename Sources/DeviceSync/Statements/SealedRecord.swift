import Cryptography
import FixedMemory

/// A record of secrets, sealed for one board's key. Nobody who listens on the line can read it, and neither can
/// a device in the board's place.
///
/// | bytes | content |
/// |---|---|
/// | 64 | both coordinates of a fresh public key, big-endian |
/// | as the record | the record, encrypted with AES-256-GCM |
/// | 16 | the tag |
///
/// The key comes by HKDF with SHA-256, without salt, from the x coordinate that the fresh key and the board's
/// key agree on. The info is "tabard secrets 1", the log identity, and both coordinates of the fresh key and of
/// the board's. Each fresh key serves one record, so the nonce is 12 zero bytes.
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
        var cipher = try cipher(agreement.secret, ephemeral.span.extracting(1..<65), boardKey, logIdentity)
        var room = bytes.mutableSpan
        var text = room.extracting(range)
        let tag = try cipher.seal(&text, nonce: nonce.span, authenticating: Span())
        cipher.wipe()
        for index in 0..<tagByteCount { bytes[range.upperBound + index] = tag[index] }
        return FixedBuffer(bytes.span.extracting(first: range.upperBound + tagByteCount)) ?? FixedBuffer()
    }

    /// The public key at the beginning of a sealed record.
    ///
    /// - Throws: `.invalidPublicKey` if the bytes are no point on the curve.
    static func ephemeralKey(of sealed: Span<UInt8>) throws(CryptographyError) -> P256PublicKey {
        var x963 = FixedBuffer<65>()
        do throws(CapacityError) {
            try x963.append(4 as UInt8)
            try x963.append(sealed.extracting(first: ephemeralByteCount))
        } catch {
            throw .wrongLength
        }
        return try P256PublicKey(x963: x963.span)
    }

    /// Decrypts a sealed record in place.
    ///
    /// - Parameter secret: what the fresh key and the board's key agree on.
    /// - Returns: where the record is in `sealed`.
    /// - Throws: `.authenticationFailed` if it was sealed for another key or log.
    static func open(
        _ sealed: inout MutableSpan<UInt8>, _ secret: Bytes<32>, _ boardKey: P256PublicKey,
        logIdentity: Bytes<16>
    ) throws(CryptographyError) -> Range<Int> {
        let range = ephemeralByteCount..<sealed.count - tagByteCount
        guard let ephemeral = Bytes<64>(sealed.span.extracting(first: ephemeralByteCount)),
            let tag = Bytes<16>(sealed.span.extracting(last: tagByteCount))
        else { throw .wrongLength }
        var cipher = try cipher(secret, ephemeral.span, boardKey, logIdentity)
        var text = sealed.extracting(range)
        try cipher.open(&text, tag: tag, nonce: nonce.span, authenticating: Span())
        cipher.wipe()
        return range
    }

    private static var nonce: Bytes<12> { Bytes() }

    private static func cipher(
        _ secret: Bytes<32>, _ ephemeral: Span<UInt8>, _ boardKey: P256PublicKey, _ logIdentity: Bytes<16>
    ) throws(CryptographyError) -> AESGCM {
        var info = FixedBuffer<160>()
        let board = boardKey.x963
        do throws(CapacityError) {
            try info.append("tabard secrets 1" as StaticString)
            try info.append(logIdentity)
            try info.append(ephemeral)
            try info.append(board.span.extracting(1..<65))
        } catch {
            throw .wrongLength
        }
        var key = Bytes<32>()
        defer { key.wipe() }
        var destination = key.mutableSpan
        try HKDFSHA256.derive(&destination, from: secret.span, salt: Span(), info: info.span)
        return try AESGCM(key: key.span)
    }
}

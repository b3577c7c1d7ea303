import Cryptography
import FixedMemory

/// A record of secrets, sealed for one key: by the host for a board's, or by a board for its owner's. Nobody
/// who listens on the line can read it, and neither can a device in the recipient's place.
///
/// | bytes | content |
/// |---|---|
/// | 64 | both coordinates of a fresh public key, big-endian |
/// | as the record | the record, encrypted with AES-256-GCM |
/// | 16 | the tag |
///
/// The key comes by HKDF with SHA-256 from the x coordinate that the fresh key and the recipient's key agree
/// on. The salt is the log identity, the info both coordinates of the fresh key. Each fresh key serves one
/// record, so the nonce is 12 zero bytes. The text of the ``Purpose`` is authenticated too.
public enum SealedRecord {
    /// The use of a sealed record. A record for one use cannot be opened for the other.
    public enum Purpose: Sendable {
        /// For a board, which stores the secrets.
        case provisioning
        /// For the board's owner, who keeps a copy of them.
        case backup

        fileprivate var text: FixedBuffer<16> {
            var text = FixedBuffer<16>()
            try? text.append(self == .backup ? "tabard backups 1" : "tabard secrets 1" as StaticString)
            return text
        }
    }

    /// The bytes of a sealed record beside the record.
    public static let overheadByteCount = ephemeralByteCount + tagByteCount
    /// The longest record that fits an answer of the board.
    static let maximumByteCount = 1_900 - overheadByteCount
    static let ephemeralByteCount = 64
    private static let tagByteCount = 16

    /// Seals a record. For the host: it blocks for as long as the key agreement takes.
    ///
    /// - Throws: `.wrongLength` if the record has more than 1,968 bytes.
    public static func seal(
        _ record: Span<UInt8>, for key: P256PublicKey, _ purpose: Purpose = .provisioning,
        logIdentity: Bytes<16>, entropy: Entropy
    ) throws(CryptographyError) -> FixedBuffer<2048> {
        var job = try P256AgreementJob(with: key, entropy: entropy)
        while try !job.advance() {}
        guard var agreement = try job.agreement() else { throw .wrongLength }
        defer { agreement.wipe() }
        let byteCount = record.count + overheadByteCount
        var bytes = InlineArray<2048, UInt8>(repeating: 0)
        guard byteCount <= bytes.count else { throw .wrongLength }
        for index in record.indices { bytes[ephemeralByteCount + index] = record[index] }
        var room = bytes.mutableSpan
        var sealed = room.extracting(0..<byteCount)
        try seal(&sealed, agreement, purpose, logIdentity: logIdentity)
        return FixedBuffer(bytes.span.extracting(first: byteCount)) ?? FixedBuffer()
    }

    /// Opens a record. For the host: it blocks for as long as the key agreement takes.
    ///
    /// - Parameter scalar: the recipient's private scalar, 32 bytes, big-endian.
    /// - Throws: `.authenticationFailed` if it was sealed for another key, log or purpose, or was changed;
    ///   `.wrongLength` if it has more than 2,048 bytes.
    public static func open(
        _ sealed: Span<UInt8>, with scalar: Bytes<32>, _ purpose: Purpose, logIdentity: Bytes<16>
    ) throws(CryptographyError) -> FixedBuffer<2048> {
        var bytes = InlineArray<2048, UInt8>(repeating: 0)
        guard sealed.count > overheadByteCount, sealed.count <= bytes.count else { throw .wrongLength }
        for index in sealed.indices { bytes[index] = sealed[index] }
        var job = try P256AgreementJob(with: ephemeralKey(of: sealed), entropy: .system)
        try job.use(scalar: scalar)
        while try !job.advance() {}
        guard var secret = try job.sharedSecret() else { throw .wrongLength }
        defer { secret.wipe() }
        var room = bytes.mutableSpan
        var text = room.extracting(0..<sealed.count)
        try open(&text, secret, purpose, logIdentity: logIdentity)
        let record = bytes.span.extracting(ephemeralByteCount..<sealed.count - tagByteCount)
        return FixedBuffer(record) ?? FixedBuffer()
    }

    /// The public key at the beginning of a sealed record.
    ///
    /// - Throws: `.invalidPublicKey` if the bytes are not a point on the curve.
    static func ephemeralKey(of sealed: Span<UInt8>) throws(CryptographyError) -> P256PublicKey {
        try P256PublicKey(coordinates: sealed.extracting(first: ephemeralByteCount))
    }

    /// Encrypts a record in place, and writes the fresh key before it and the tag behind it.
    ///
    /// - Parameter sealed: the record, with 64 bytes before it and 16 behind it.
    static func seal(
        _ sealed: inout MutableSpan<UInt8>, _ agreement: P256Agreement, _ purpose: Purpose,
        logIdentity: Bytes<16>
    ) throws(CryptographyError) {
        let ephemeral = agreement.ephemeralKey
        for index in 0..<ephemeralByteCount { sealed[index] = ephemeral[index + 1] }
        var cipher = try cipher(agreement.secret, ephemeral.span.extracting(1..<65), logIdentity)
        let end = sealed.count - tagByteCount
        var text = sealed.extracting(ephemeralByteCount..<end)
        let purpose = purpose.text
        let tag = try cipher.seal(&text, nonce: nonce.span, authenticating: purpose.span)
        cipher.wipe()
        for index in 0..<tagByteCount { sealed[end + index] = tag[index] }
    }

    /// Decrypts a sealed record in place. The first 64 bytes, and the tag at the end, stay as they are.
    ///
    /// - Parameter secret: what the fresh key and the recipient's key agree on.
    /// - Throws: `.authenticationFailed` if it was sealed for another key, log or purpose.
    static func open(
        _ sealed: inout MutableSpan<UInt8>, _ secret: Bytes<32>, _ purpose: Purpose, logIdentity: Bytes<16>
    ) throws(CryptographyError) {
        var cipher = try cipher(secret, sealed.span.extracting(first: ephemeralByteCount), logIdentity)
        let tag = Bytes<16>(sealed.span.extracting(last: tagByteCount)) ?? Bytes()
        var text = sealed.extracting(ephemeralByteCount..<sealed.count - tagByteCount)
        let purpose = purpose.text
        try cipher.open(&text, tag: tag, nonce: nonce.span, authenticating: purpose.span)
        cipher.wipe()
    }

    private static var nonce: Bytes<12> { Bytes() }

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

import Cryptography
import FixedMemory

/// The part of a sealed segment header with which the owner key decrypts the epoch's pages, and the board's
/// signature.
public struct EpochSeal: Equatable, BitwiseCopyable, Sendable {
    /// The fingerprint of the owner key: the first 16 bytes of SHA-256 of its 65 bytes.
    public var ownerKeyFingerprint: Bytes<16>
    /// Both coordinates of the epoch's ephemeral public key, big-endian.
    public var ephemeralKey: Bytes<64>
    /// The end of the log when the epoch was prepared, and the chain's value there.
    public var signedThrough: LogPosition
    public var chainValue: Bytes<16>
    /// r and s, big-endian, made with the board's key.
    public var signature: Bytes<64>

    static let byteCount = 168

    init(
        ownerKeyFingerprint: Bytes<16>, ephemeralKey: Bytes<64>, signedThrough: LogPosition,
        chainValue: Bytes<16>, signature: Bytes<64> = Bytes()
    ) {
        self.ownerKeyFingerprint = ownerKeyFingerprint
        self.ephemeralKey = ephemeralKey
        self.signedThrough = signedThrough
        self.chainValue = chainValue
        self.signature = signature
    }

    init(_ reader: inout ByteReader) throws(EndOfBytes) {
        ownerKeyFingerprint = try reader.readBlock()
        ephemeralKey = try reader.readBlock()
        signedThrough = try LogPosition(&reader)
        chainValue = try reader.readBlock()
        signature = try reader.readBlock()
    }

    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try encodeSigned(into: &sink)
        try sink.append(signature)
    }

    private func encodeSigned<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(ownerKeyFingerprint)
        try sink.append(ephemeralKey)
        try signedThrough.encode(into: &sink)
        try sink.append(chainValue)
    }

    /// The digest that the board signs: SHA-256 of "tabard opening 2", log identity, boot identifier, and
    /// these fields except the signature.
    @inline(never)  // keeps the image small
    func signedDigest(logIdentity: Bytes<16>, bootIdentifier: UInt64) -> Bytes<32> {
        var message = FixedBuffer<144>()
        do throws(CapacityError) {
            try message.append("tabard opening 2")
            try message.append(logIdentity)
            try message.append(littleEndian: bootIdentifier)
            try encodeSigned(into: &message)
        } catch {
            preconditionFailure("the signed fields make 144 bytes")
        }
        return SHA256.digest(of: message.span)
    }

    /// Verifies the board's signature.
    ///
    /// - Throws: `.authenticationFailed` if the board's key did not make it.
    public func verify(
        by boardKey: P256PublicKey, logIdentity: Bytes<16>, bootIdentifier: UInt64
    ) throws(CryptographyError) {
        try boardKey.verify(
            signature, digest: signedDigest(logIdentity: logIdentity, bootIdentifier: bootIdentifier))
    }

    var ephemeralPublicKey: P256PublicKey {
        get throws(CryptographyError) { try P256PublicKey(coordinates: ephemeralKey.span) }
    }
}

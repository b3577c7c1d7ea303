import Cryptography
import FixedMemory

/// The identity that a phone uses until midnight: a country in clear, and a message that only the authority
/// can decrypt. 108 bytes:
///
///     country u16, big-endian · a fresh public key, x and y, 64 bytes · ciphertext, 26 bytes · tag, 16 bytes
///
/// The last three are the cryptogram, of 106 bytes.
public struct SonarBroadcastValue: BitwiseCopyable, Equatable, Sendable {
    public static let byteCount = 108
    public static let cryptogramByteCount = 106

    public let bytes: Bytes<108>

    /// - Throws: `.wrongLength` unless there are 108 bytes, `.invalidPublicKey` if they hold no point of the
    ///   curve.
    public init(parsing bytes: Span<UInt8>) throws(SonarRefusal) {
        guard let value = Bytes<108>(bytes) else { throw .wrongLength }
        self.bytes = value
        _ = try publicKey()
    }

    /// Makes a value whose point the caller checks before decrypting it.
    public init(uncheckedPoint bytes: Bytes<108>) { self.bytes = bytes }

    /// - Throws: `.wrongLength` unless there are 106 bytes, `.invalidPublicKey` if they hold no point of the
    ///   curve.
    public init(country: UInt16, cryptogram: Span<UInt8>) throws(SonarRefusal) {
        guard cryptogram.count == Self.cryptogramByteCount else { throw .wrongLength }
        var value = FixedBuffer<108>()
        do throws(CapacityError) {
            try value.append(bigEndian: country)
            try value.append(cryptogram)
        } catch {
            throw .wrongLength
        }
        try self.init(parsing: value.span)
    }

    /// Seals a message for the authority with whose key the agreement was made. An agreement may seal only
    /// one message.
    public init(
        sealing message: SonarMessage, by agreement: P256Agreement
    ) throws(SonarRefusal) {
        var text = message.encoded
        var textBytes = text.mutableSpan
        let keys = SonarSealingKeys(agreement)
        let tag: Bytes<16>
        do throws(CryptographyError) {
            var cipher = try AESGCM(key: keys.key.span)
            tag = try cipher.seal(&textBytes, nonce: keys.nonce.span, authenticating: Span())
        } catch {
            throw .cryptography
        }
        var value = FixedBuffer<108>()
        do throws(CapacityError) {
            try value.append(bigEndian: message.country)
            try value.append(agreement.ephemeralKey.span.extracting(1..<65))
            try value.append(text)
            try value.append(tag)
        } catch {}  // 108 bytes fit
        bytes = Bytes(value.span) ?? Bytes()
    }

    public var country: UInt16 { UInt16(bytes[0]) << 8 | UInt16(bytes[1]) }

    public var cryptogram: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { bytes.span.extracting(2..<108) }
    }

    /// The fresh key in X9.63's uncompressed form, with the leading 04 that does not go over the air.
    public var ephemeralKey: Bytes<65> {
        var point = Bytes<65>()
        point[0] = 4
        for index in 1...64 { point[index] = bytes[index + 1] }
        return point
    }

    func publicKey() throws(SonarRefusal) -> P256PublicKey {
        do throws(CryptographyError) {
            return try P256PublicKey(x963: ephemeralKey.span)
        } catch {
            throw error == .invalidPublicKey ? .invalidPublicKey : .cryptography
        }
    }

    /// Decrypts the message.
    /// - Throws: `.authenticationFailure` if it was not sealed for the private half of this agreement, or was
    ///   changed.
    public func open(
        _ agreement: P256Agreement,
        by primitives: borrowing some SonarPrimitives & ~Copyable = SonarBoardPrimitives()
    ) throws(SonarRefusal) -> SonarMessage {
        guard var text = Bytes<26>(bytes.span.extracting(66..<92)),
            let tag = Bytes<16>(bytes.span.extracting(92..<108))
        else { throw .wrongLength }
        try primitives.open(&text, tag: tag, by: SonarSealingKeys(agreement, by: primitives))
        return try SonarMessage(parsing: text.span)
    }
}

/// The key and nonce that seal a message. X9.63 of the agreed secret and the fresh public key, 04 included,
/// gives an AES-128 key and then a nonce of 16 bytes.
public struct SonarSealingKeys: BitwiseCopyable, Sendable {
    public let key: Bytes<16>
    public let nonce: Bytes<16>

    public init(
        _ agreement: P256Agreement,
        by primitives: borrowing some SonarPrimitives & ~Copyable = SonarBoardPrimitives()
    ) {
        var derived = primitives.derive(from: agreement)
        key = Bytes(derived.span.extracting(0..<16)) ?? Bytes()
        nonce = Bytes(derived.span.extracting(16..<32)) ?? Bytes()
        derived.wipe()
    }
}

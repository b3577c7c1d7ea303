import Cryptography
import FixedMemory

/// The keys derived from a temporary exposure key: one for identifiers (RPIK) and one for their metadata
/// (AEMK).
public struct RollingKeys: ~Copyable {
    public let identifierKey: Bytes<16>
    public let metadataKey: Bytes<16>
    private var identifierCipher: AESBlockCipher

    public init(_ key: TemporaryExposureKey) throws(ExposureNotificationError) {
        let identifierKey = try Self.derive("EN-RPIK", from: key)
        let metadataKey = try Self.derive("EN-AEMK", from: key)
        identifierCipher = try Self.cipher(identifierKey)
        self.identifierKey = identifierKey
        self.metadataKey = metadataKey
    }

    /// The interval's identifier: AES-128 of `EN-RPI`, six zeros, and the interval's number, little-endian.
    public mutating func identifier(
        of interval: ExposureNotificationInterval
    ) throws(ExposureNotificationError) -> RollingProximityIdentifier {
        var block = Bytes<16>()
        let label: StaticString = "EN-RPI"
        for index in 0..<6 { block[index] = label.utf8Start[index] }
        for index in 0..<4 {
            block[12 + index] = UInt8(
                truncatingIfNeeded: interval.number >> UInt32(truncatingIfNeeded: 8 * index))
        }
        do throws(CryptographyError) {
            try identifierCipher.encrypt(&block)
        } catch {
            throw .cryptography
        }
        return RollingProximityIdentifier(block)
    }

    /// Encrypts metadata with AES-128 in counter mode, with the identifier as the first counter.
    public func encrypt(
        _ metadata: AssociatedMetadata, with identifier: RollingProximityIdentifier
    ) throws(ExposureNotificationError) -> AssociatedEncryptedMetadata {
        AssociatedEncryptedMetadata(try applyCounterMode(to: metadata.bytes, identifier))
    }

    public func decrypt(
        _ metadata: AssociatedEncryptedMetadata, with identifier: RollingProximityIdentifier
    ) throws(ExposureNotificationError) -> AssociatedMetadata {
        AssociatedMetadata(try applyCounterMode(to: metadata.bytes, identifier))
    }

    private func applyCounterMode(
        to text: Bytes<4>, _ identifier: RollingProximityIdentifier
    ) throws(ExposureNotificationError) -> Bytes<4> {
        var text = text
        var bytes = text.mutableSpan
        do throws(CryptographyError) {
            try AESCTR.apply(to: &bytes, key: metadataKey.span, counter: identifier.bytes)
        } catch {
            throw .cryptography
        }
        return text
    }

    private static func derive(
        _ label: StaticString, from key: TemporaryExposureKey
    ) throws(ExposureNotificationError) -> Bytes<16> {
        var info = FixedBuffer<8>()
        try? info.append(label)  // 7 characters fit
        var derived = Bytes<16>()
        var destination = derived.mutableSpan
        do throws(CryptographyError) {
            try HKDFSHA256.derive(&destination, from: key.data.span, salt: Span(), info: info.span)
        } catch {
            throw .cryptography
        }
        return derived
    }

    private static func cipher(_ key: Bytes<16>) throws(ExposureNotificationError) -> AESBlockCipher {
        do throws(CryptographyError) {
            return try AESBlockCipher(key: key.span)
        } catch {
            throw .cryptography
        }
    }

    // Explicit, because on a board another module can only destroy a type whose deinit is declared. The
    // properties clean up themselves.
    deinit {}
}

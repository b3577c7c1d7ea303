import Cryptography
import EncounterLog
import FixedMemory

/// The private half of an owner key, ready to decrypt pages that boards encrypted for it.
public final class OwnerKey {
    private var opener: PageOpener
    public let fingerprint: Bytes<16>

    /// - Throws: `.invalidPrivateKey` unless the 32 bytes, big-endian, are a P-256 private key.
    public init(scalar: Bytes<32>) throws(CryptographyError) {
        let key = try P256PrivateKey(scalar: scalar, entropy: .system)
        fingerprint = key.publicKey.fingerprint
        opener = PageOpener(ownerKey: key, entropy: .system)
    }

    /// Decrypts the entries of an encrypted page.
    func open(_ page: borrowing LogPage, of segmentHeader: SegmentHeader) throws(LogError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: page.byteCount)
        var span = bytes.mutableSpan
        let count = try opener.open(page, of: segmentHeader, into: &span)
        return Array(bytes.prefix(count))
    }
}

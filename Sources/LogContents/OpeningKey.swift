import Cryptography
import EncounterLog
import FixedMemory

/// The private half of an opening key, at work. Reads what boards have sealed for it.
public final class OpeningKey {
    private var opener: PageOpener
    public let fingerprint: Bytes<16>

    /// - Throws: `.invalidPrivateKey` unless the 32 bytes, big-endian, are a private key of P-256.
    public init(scalar: Bytes<32>) throws(CryptographyError) {
        let key = try P256PrivateKey(scalar: scalar, entropy: .system)
        fingerprint = key.publicKey.fingerprint
        opener = PageOpener(openingKey: key, entropy: .system)
    }

    /// The entries of a sealed page, in clear.
    func open(_ page: borrowing LogPage, of opening: SegmentOpening) throws(LogError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: page.byteCount)
        var span = bytes.mutableSpan
        let count = try opener.open(page, of: opening, into: &span)
        return Array(bytes.prefix(count))
    }
}

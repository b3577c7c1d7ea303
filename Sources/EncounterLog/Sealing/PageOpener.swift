import Cryptography
import FixedMemory

/// Decrypts sealed pages with the private half of the owner key. Reading an epoch's pages in order is cheap;
/// an earlier page or another epoch costs one key agreement.
public struct PageOpener: ~Copyable {
    private var ownerKey: P256PrivateKey
    private let fingerprint: Bytes<16>
    private let entropy: Entropy
    private var keys: PageKeys?
    private var ephemeralKey = Bytes<64>()

    public init(ownerKey: consuming P256PrivateKey, entropy: Entropy) {
        fingerprint = ownerKey.publicKey.fingerprint
        self.ownerKey = ownerKey
        self.entropy = entropy
    }

    /// Decrypts a page's entries into the start of `entries`, and returns their size in bytes.
    ///
    /// - Parameters:
    ///   - segmentHeader: the segment header of the page's epoch.
    ///   - entries: a buffer of ``LogPage/byteCount`` bytes.
    /// - Throws: `.sealedForAnotherKey`, or `.forgedPage` if anything in the page differs from what the board
    ///   sealed.
    public mutating func open(
        _ page: borrowing LogPage, of segmentHeader: SegmentHeader, into entries: inout MutableSpan<UInt8>
    ) throws(LogError) -> Int {
        guard let seal = segmentHeader.seal, let link = page.link, let tag = page.tag else {
            throw .malformedPage
        }
        guard seal.ownerKeyFingerprint == fingerprint else { throw .sealedForAnotherKey }
        let content = page.content
        guard content.count <= entries.count else { throw .truncatedPage }
        for index in content.indices { entries[index] = content[index] }
        do throws(CryptographyError) {
            let key = try key(of: link.pageNumber, segmentHeader, seal, epoch: page.header.epoch)
            var text = entries._mutatingExtracting(0..<content.count)
            try PageSeal.open(&text, tag: tag, key: key, prefix: page.prefix, at: page.position)
        } catch {
            switch error {
            case .authenticationFailed, .invalidPublicKey: throw .forgedPage
            default: throw .cannotSeal
            }
        }
        return content.count
    }

    private mutating func key(
        of pageNumber: UInt16, _ segmentHeader: SegmentHeader, _ seal: EpochSeal, epoch: UInt8
    ) throws(CryptographyError) -> Bytes<32> {
        let isBehind = (keys?.pageNumber ?? .max) > pageNumber
        if isBehind || ephemeralKey != seal.ephemeralKey {
            let secret = try ownerKey.sharedSecret(with: seal.ephemeralPublicKey, entropy: entropy)
            keys = try PageKeys(
                secret: secret, ephemeralKey: seal.ephemeralKey, logIdentity: segmentHeader.logIdentity,
                segmentOrdinal: segmentHeader.segmentOrdinal, epoch: epoch)
            ephemeralKey = seal.ephemeralKey
        }
        try keys?.skip(to: pageNumber)
        guard let key = try keys?.next() else { throw .wrongLength }
        return key
    }
}

import Cryptography
import EncounterLog
import FixedMemory

/// An owner key pair; its private half reads pages that were sealed for its public half.
public final class OwnerKeyPair {
    public let publicKey: P256PublicKey
    private var opener: PageOpener

    /// Makes a fresh pair.
    /// - Parameter entropy: The source of the key, which must outlive the pair.
    public init(entropy: Entropy = .system) throws {
        let key = try P256PrivateKey(entropy: entropy)
        publicKey = key.publicKey
        opener = PageOpener(ownerKey: key, entropy: entropy)
    }

    /// Returns a seal for this pair's public half, with a fresh board key unless one is given.
    public func seal(boardScalar: Bytes<32>? = nil) throws -> LogSeal {
        let scalar = try boardScalar ?? P256PrivateKey(entropy: .system).scalarBytes()
        return LogSeal(ownerKey: publicKey, boardScalar: scalar, entropy: .system)
    }

    /// - Parameter segmentHeader: The segment header of the page's epoch.
    public func entries(
        of page: borrowing LogPage, of segmentHeader: SegmentHeader
    ) throws(LogError) -> [LogEntry] {
        var bytes = [UInt8](repeating: 0, count: page.byteCount)
        var room = bytes.mutableSpan
        let count = try opener.open(page, of: segmentHeader, into: &room)
        var entries: [LogEntry] = []
        var iterator = EntryIterator(bytes.span.extracting(0..<count))
        while let entry = try iterator.next() { entries.append(entry) }
        return entries
    }
}

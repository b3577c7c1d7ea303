import Cryptography
import EncounterLog
import FixedMemory

/// An opening key with its private half, which reads what was sealed for it.
public final class OpeningPair {
    public let publicKey: P256PublicKey
    private var opener: PageOpener

    /// A fresh one.
    /// - Parameter entropy: what it is drawn from, and must outlive it.
    public init(entropy: Entropy = .system) throws {
        let key = try P256PrivateKey(entropy: entropy)
        publicKey = key.publicKey
        opener = PageOpener(openingKey: key, entropy: entropy)
    }

    /// A seal of this pair's public half, by a fresh board key if none is given.
    public func seal(boardScalar: Bytes<32>? = nil) throws -> LogSeal {
        let scalar = try boardScalar ?? P256PrivateKey(entropy: .system).scalarBytes()
        return LogSeal(openingKey: publicKey, boardScalar: scalar, entropy: .system)
    }

    /// - Parameter opening: of the page's epoch.
    public func entries(
        of page: borrowing LogPage, of opening: SegmentOpening
    ) throws(LogError) -> [LogEntry] {
        var bytes = [UInt8](repeating: 0, count: page.byteCount)
        var room = bytes.mutableSpan
        let count = try opener.open(page, of: opening, into: &room)
        var entries: [LogEntry] = []
        var iterator = EntryIterator(bytes.span.extracting(0..<count))
        while let entry = try iterator.next() { entries.append(entry) }
        return entries
    }
}

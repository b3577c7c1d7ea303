import Agent
import Cryptography
import EncounterLog
import FixedMemory

/// The keys of a provisioned board, drawn from its world's seed, with the owner key that opens its sealed
/// pages.
final class SimulatedKeys {
    /// The board's own keys, as stored on its medium.
    var boardKeys: BoardKeys
    /// The private scalar of the owner key.
    let ownerScalar: Bytes<32>
    private let source: SeededEntropy
    private var opener: PageOpener
    /// The entries of pages already opened, by page bytes. The checks read a page more than once, and a
    /// return to an earlier epoch costs another key agreement.
    private var opened: [[UInt8]: [LogEntry]] = [:]

    /// - Parameter source: The board's seeded entropy.
    init(_ source: SeededEntropy) throws(CryptographyError) {
        let entropy = source.entropy
        let ownerKey = try P256PrivateKey(entropy: entropy)
        var keys = try BoardKeys(entropy: entropy)
        keys.publicHalves.ownerKey = ownerKey.publicKey
        boardKeys = keys
        ownerScalar = try ownerKey.scalarBytes()
        self.source = source
        opener = PageOpener(ownerKey: ownerKey, entropy: entropy)
    }

    /// The entropy, drawn from the seed: the same run makes the same keys.
    var entropy: Entropy { source.entropy }

    /// - Parameter segmentHeader: The header of the segment, which holds the keys of the page's epoch.
    func entries(of page: borrowing LogPage, bytes: [UInt8], segmentHeader: SegmentHeader) throws(LogError)
        -> [LogEntry]
    {
        if let entries = opened[bytes] { return entries }
        var room = [UInt8](repeating: 0, count: page.byteCount)
        var span = room.mutableSpan
        let count = try opener.open(page, of: segmentHeader, into: &span)
        var entries: [LogEntry] = []
        var iterator = EntryIterator(room.span.extracting(0..<count))
        while let entry = try iterator.next() { entries.append(entry) }
        opened[bytes] = entries
        return entries
    }
}

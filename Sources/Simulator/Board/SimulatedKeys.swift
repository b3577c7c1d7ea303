import Agent
import Cryptography
import EncounterLog
import FixedMemory

/// The keys of a provisioned board, from its world's seed, and its owner's opening key, which reads what it seals.
final class SimulatedKeys {
    /// The board's, as they are on its medium.
    var boardKeys: BoardKeys
    /// The owner's private number.
    let openingScalar: Bytes<32>
    private let source: SeededEntropy
    private var opener: PageOpener
    /// Pages are looked at more than once, and to go back to an earlier one costs an agreement.
    private var opened: [[UInt8]: [LogEntry]] = [:]

    /// - Parameter source: the board's.
    init(_ source: SeededEntropy) throws(CryptographyError) {
        let entropy = source.entropy
        let opening = try P256PrivateKey(entropy: entropy)
        var keys = try BoardKeys(entropy: entropy)
        keys.publicHalves.opening = opening.publicKey
        boardKeys = keys
        openingScalar = try opening.scalarBytes()
        self.source = source
        opener = PageOpener(openingKey: opening, entropy: entropy)
    }

    /// Drawn from the seed, too: the same run makes the same keys.
    var entropy: Entropy { source.entropy }

    /// - Parameter opening: of the page's epoch.
    func entries(of page: borrowing LogPage, bytes: [UInt8], opening: SegmentOpening) throws(LogError)
        -> [LogEntry]
    {
        if let entries = opened[bytes] { return entries }
        var room = [UInt8](repeating: 0, count: page.byteCount)
        var span = room.mutableSpan
        let count = try opener.open(page, of: opening, into: &span)
        var entries: [LogEntry] = []
        var iterator = EntryIterator(room.span.extracting(0..<count))
        while let entry = try iterator.next() { entries.append(entry) }
        opened[bytes] = entries
        return entries
    }
}

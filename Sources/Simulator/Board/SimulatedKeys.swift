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
    private let source: Source
    private var opener: PageOpener
    /// Pages are looked at more than once, and to go back to an earlier one costs an agreement.
    private var opened: [[UInt8]: [LogEntry]] = [:]

    private final class Source {
        var stream: RandomStream
        init(_ stream: RandomStream) { self.stream = stream }
    }

    init(_ stream: RandomStream) throws(CryptographyError) {
        let source = Source(stream)
        let entropy = Self.entropy(of: source)
        let opening = try P256PrivateKey(entropy: entropy)
        var keys = try BoardKeys(entropy: entropy)
        keys.publicHalves.opening = opening.publicKey
        boardKeys = keys
        openingScalar = try opening.scalarBytes()
        self.source = source
        opener = PageOpener(openingKey: opening, entropy: entropy)
    }

    /// Drawn from the seed, too: the same run makes the same keys.
    var entropy: Entropy { Self.entropy(of: source) }

    private static func entropy(of source: Source) -> Entropy {
        Entropy(context: Unmanaged.passUnretained(source).toOpaque()) { context, bytes, count in
            guard let context, let bytes else { return Entropy.failure }
            let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: source.stream.next()) }
            return 0
        }
    }

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

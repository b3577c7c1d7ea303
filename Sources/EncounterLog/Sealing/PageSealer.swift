import Cryptography
import FixedMemory

/// Seals pages: it prepares the seal of the next epoch, changes to it when the epoch begins, and encrypts
/// each page's entries with a key of its own.
struct PageSealer: ~Copyable {
    private var preparation: EpochPreparation
    /// Whether a seal is set, so that the next epoch is sealed.
    private(set) var hasSeal: Bool
    /// Whether the current epoch's pages are sealed; before the first epoch, whether its pages will be.
    private(set) var isSealed: Bool
    /// Whether the seal differs from the current epoch's, so that the next epoch begins as soon as it is
    /// prepared.
    private var isResealing = false
    private var keys: PageKeys?
    private(set) var counters = SealCounters()

    init(_ seal: LogSeal?) {
        preparation = EpochPreparation(seal)
        let hasSeal = seal != nil
        self.hasSeal = hasSeal
        isSealed = hasSeal
    }

    /// Whether the next epoch is not prepared yet.
    var hasWork: Bool { preparation.hasWork }

    /// Whether the current epoch must end, because the next one is ready and has another seal.
    var isEpochEnding: Bool { isResealing && !hasWork }

    mutating func prepareSlice(
        logIdentity: Bytes<16>, bootIdentifier: UInt64, head: LogHead
    ) throws(LogError) {
        do throws(CryptographyError) {
            try preparation.advance(logIdentity: logIdentity, bootIdentifier: bootIdentifier, head: head)
        } catch {
            throw .cannotSeal
        }
    }

    /// Uses another seal from the next epoch on.
    mutating func reseal(_ seal: LogSeal) {
        preparation.change(seal)
        hasSeal = true
        isResealing = true
    }

    /// Changes to the seal that is set, and forgets the last epoch's keys.
    mutating func endEpoch() {
        keys?.wipe()
        keys = nil
        isSealed = hasSeal
        isResealing = false
    }

    /// The number of the key that seals the next page; nil if pages are not sealed. A key that a failed
    /// attempt used up has taken its number with it.
    var pageNumber: UInt16? {
        mutating get { isSealed ? keys?.pageNumber : nil }
    }

    /// Makes the keys of an epoch that begins, which may have to be prepared first.
    /// - Returns: the seal for the epoch's segment header.
    mutating func beginEpoch(
        logIdentity: Bytes<16>, bootIdentifier: UInt64, head: LogHead, segmentOrdinal: UInt32, epoch: UInt8
    ) throws(LogError) -> EpochSeal? {
        if hasWork { counters.epochsPreparedInHaste &+= 1 }
        while hasWork {
            try prepareSlice(logIdentity: logIdentity, bootIdentifier: bootIdentifier, head: head)
        }
        endEpoch()
        let epochSeal = preparation.epochSeal
        do throws(CryptographyError) {
            keys = try preparation.takeKeys(
                logIdentity: logIdentity, segmentOrdinal: segmentOrdinal, epoch: epoch)
        } catch {
            throw .cannotSeal
        }
        return epochSeal
    }

    /// Encrypts the entries between the page's prefix and its tag, and writes the tag.
    mutating func seal(
        _ page: inout MutableSpan<UInt8>, prefix: Span<UInt8>, entryByteCount: Int, at position: LogPosition
    ) throws(LogError) {
        let end = prefix.count + entryByteCount
        let tag: Bytes<16>
        do throws(CryptographyError) {
            guard var key = try keys?.next() else { throw CryptographyError.wrongLength }
            defer { key.wipe() }
            var text = page._mutatingExtracting(prefix.count..<end)
            tag = try PageSeal.seal(&text, key: key, prefix: prefix, at: position)
        } catch {
            throw .cannotSeal
        }
        for index in 0..<PageSeal.tagByteCount { page[end + index] = tag[index] }
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

/// Counters of sealing.
public struct SealCounters: Equatable, BitwiseCopyable, Sendable {
    /// Epochs that were not ready when needed, so that the agent had to wait for their keys.
    public var epochsPreparedInHaste: UInt32 = 0
}

import Cryptography
import FixedMemory

/// Finds the last page of a segment that is the board's, in the order of the pages.
///
/// A page is the board's if its epoch's segment header has the signature of the board's key. A sealed page
/// whose epoch has no readable header is too, unless the segment has only foreign headers: damage costs
/// headers, and nobody gains from a page that no key opens.
struct OwnPageSearch {
    let ordinal: UInt32
    /// Whether each header's signature is checked. Otherwise all sealed headers count as the board's.
    let checksAll: Bool
    private let boardKey: P256PublicKey
    /// Epochs, as bits, with a header of the board, and with another one.
    private var ownEpochs: UInt16 = 0
    private var foreignEpochs: UInt16 = 0
    /// The last header, and its epoch.
    private var lastHeader: SegmentHeader?
    private var lastHeaderEpoch = 0
    /// The signature that was checked last. Several headers have the same.
    private var checked = Checked()
    private var lastOffset: Int?
    private var lastEpoch = 0
    private(set) var lastOwnOffset: Int?
    /// The end of the last page that is the board's, and how far it says that the log is stored elsewhere.
    private(set) var head = LogHead()
    private(set) var syncedThrough = LogPosition.start
    /// Whether a header of the board was found.
    private(set) var isProven = false

    /// How much newer than the log's end a segment can be when its epoch was prepared: one, and the slots
    /// that the log gave up or could not read, in this boot and in those before whose pages all failed.
    static var longestJump: UInt32 { UInt32(truncatingIfNeeded: 1 + 8 * SegmentMap.slotsToGiveUp) }

    /// More segments than a board writes in its life: 1 TB of the smallest that the agent makes, or 4 TB of a
    /// file's.
    static var longestLife: UInt32 { 1 << 24 }

    init(ordinal: UInt32, checksAll: Bool, boardKey: P256PublicKey) {
        self.ordinal = ordinal
        self.checksAll = checksAll
        self.boardKey = boardKey
    }

    /// Whether pages follow that are not the board's.
    var isFollowed: Bool { lastOffset != lastOwnOffset }

    /// Checks the last header, when none was: whether the segment's last page is of an epoch of the board.
    mutating func endsWithOwnPage() throws(LogError) -> Bool {
        guard let lastHeader, lastHeaderEpoch == lastEpoch, lastOffset == lastOwnOffset else { return false }
        return try isOwn(lastHeader)
    }

    /// Looks at the pages of a block, which begins at `start` in the segment.
    /// - Returns: false if any part of the block is not a page.
    @inline(never)
    mutating func take(
        _ block: Span<UInt8>, at start: Int, _ geometry: FlashGeometry
    ) throws(LogError) -> Bool {
        var offset = 0
        var isWhole = true
        while offset < block.count, !block.extracting(offset..<block.count).isErased {
            do throws(LogError) {
                let page = try LogPage(
                    block.extracting(offset..<block.count),
                    at: LogPosition(
                        segmentOrdinal: ordinal, byteOffset: UInt32(truncatingIfNeeded: start + offset)))
                try take(page, at: start + offset)
                offset += geometry.programmedByteCount(page.byteCount)
            } catch {
                // A signature that could not be checked says nothing.
                if error == .cannotSeal { throw error }
                offset += geometry.unitByteCount
                isWhole = false
            }
        }
        return isWhole
    }

    private mutating func take(_ page: borrowing LogPage, at offset: Int) throws(LogError) {
        lastOffset = offset
        lastEpoch = Int(page.header.epoch)
        let epoch: UInt16 = 1 << UInt16(page.header.epoch)
        if let header = page.segmentHeader {
            var isOwnHeader = header.seal != nil
            if checksAll { isOwnHeader = try isOwn(header) }
            ownEpochs = isOwnHeader ? ownEpochs | epoch : ownEpochs & ~epoch
            foreignEpochs = isOwnHeader ? foreignEpochs & ~epoch : foreignEpochs | epoch
            isProven = isProven || isOwnHeader
            lastHeader = header
            lastHeaderEpoch = lastEpoch
        }
        guard page.header.isSealed else { return }
        let isUnknown = (ownEpochs | foreignEpochs) & epoch == 0 && (isProven || foreignEpochs == 0)
        guard isUnknown || ownEpochs & epoch != 0 else { return }
        lastOwnOffset = offset
        head = LogHead(position: page.endPosition, chainValue: page.chainValue)
        syncedThrough = page.link?.syncedThrough ?? .start
    }

    /// Whether the board's key signed the epoch, and the segment is one that could follow then.
    @inline(never)
    mutating func isOwn(_ header: SegmentHeader) throws(LogError) -> Bool {
        guard let seal = header.seal,
            header.segmentOrdinal &- seal.signedThrough.segmentOrdinal <= Self.longestJump
        else { return false }
        let digest = seal.signedDigest(logIdentity: header.logIdentity, bootIdentifier: header.bootIdentifier)
        if digest == checked.digest, seal.signature == checked.signature { return checked.isOwn }
        var isOwn = true
        do throws(CryptographyError) {
            // The job of signed commands: a second way to verify would enlarge the board's image.
            var job = try P256VerificationJob(signature: seal.signature, digest: digest, publicKey: boardKey)
            while try !job.advance() {}
        } catch {
            // Without memory for it, nothing is known.
            guard error == .authenticationFailed else { throw .cannotSeal }
            isOwn = false
        }
        checked = Checked(digest: digest, signature: seal.signature, isOwn: isOwn)
        return isOwn
    }

    private struct Checked {
        var digest = Bytes<32>()
        var signature = Bytes<64>()
        var isOwn = false
    }
}

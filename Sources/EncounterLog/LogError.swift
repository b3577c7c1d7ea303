/// Why a log could not be mounted, written or read.
public enum LogError: Error, Equatable, BitwiseCopyable, Sendable {
    // The medium.

    /// The flash device failed.
    case flash(FlashError)
    /// The kernel gave no memory at start-up.
    case noMemory(byteCount: Int)
    /// The medium holds bytes that are neither blank nor a log; this is the first such block. It was left
    /// unchanged.
    case mediumHoldsSomethingElse(block: Int)
    /// The medium holds a log of another geometry. It was left unchanged.
    case geometryMismatch(found: FlashGeometry)
    /// The medium's blocks are too small for sealed pages, which need at least 1,024 bytes.
    case blocksTooSmallToSeal
    /// A segment was erased, and yet none of its blocks reads as erased.
    case eraseHadNoEffect

    // Writing.

    /// The entry is larger than a page's body; it was not accepted.
    case entryTooLong

    // Reading what is retained.

    /// The segment does not exist, or has been overwritten.
    case noSuchSegment

    // A page. Checked in this order.

    /// Fewer bytes than the page's length.
    case truncatedPage
    /// Every byte of the header is 0xFF: the page was never written.
    case blankPage
    /// The bytes do not begin like a page of a log.
    case notALogPage
    /// The checksum does not match: a power cut tore the page, bits flipped, or the page belongs elsewhere.
    case damagedPage
    /// The page has a version of the format that this code cannot read.
    case unsupportedVersion(UInt8)
    /// The checksum matches, but the page has flags that this version does not know.
    case unsupportedFlags(UInt8)
    /// The checksum matches, but the page's numbers contradict each other.
    case malformedPage
    /// The checksum matches, but the entry at this offset among the page's entries cannot be parsed.
    case malformedEntry(offset: Int)

    // A sealed page.

    /// It was sealed for another owner key than the one at hand.
    case sealedForAnotherKey
    /// Both pages with the segment header of its epoch are lost.
    case segmentHeaderLost
    /// The checksum matches and the seal does not: the page was changed or made elsewhere than on the board.
    case forgedPage
    /// The board could not seal or sign for lack of entropy or memory.
    case cannotSeal
}

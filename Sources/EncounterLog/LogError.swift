/// Why a log could not be mounted, written or read.
public enum LogError: Error, Equatable, BitwiseCopyable, Sendable {
    // The medium.

    /// The flash device failed.
    case flash(FlashError)
    /// The kernel gave no memory at start-up.
    case noMemory(byteCount: Int)
    /// The medium holds bytes that are neither blank nor a log, first seen in this block. It was left alone.
    case mediumHoldsSomethingElse(block: Int)
    /// The medium holds a log of another geometry. It was left alone.
    case geometryMismatch(found: FlashGeometry)
    /// The medium's blocks are too small for sealed pages: 1,024 bytes at least.
    case blocksTooSmallToSeal
    /// A segment was erased, and still none of its blocks reads erased.
    case eraseHadNoEffect

    // Writing.

    /// The entry is larger than a page's body; it was not taken.
    case entryTooLong

    // Reading what is retained.

    /// No such segment, or it has been overwritten since.
    case noSuchSegment

    // A page. In the order in which they are looked for.

    /// There are fewer bytes than the page has.
    case truncatedPage
    /// Every byte of the header is 0xFF: nothing was written here.
    case blankPage
    /// It does not begin as a page of a log does.
    case notALogPage
    /// The checksum does not match: it was torn by a power cut, bits have flipped, or it belongs elsewhere.
    case damagedPage
    /// Written by another version of the format than the one this can read.
    case unsupportedVersion(UInt8)
    /// Whole, but with flags that this version does not know.
    case unsupportedFlags(UInt8)
    /// The page is whole and yet its numbers contradict each other.
    case malformedPage
    /// The page is whole and yet the entry at this byte of its entries cannot be read.
    case malformedEntry(offset: Int)

    // A sealed page.

    /// It was sealed for another opening key than the one at hand.
    case sealedForAnotherKey
    /// Both pages with the opening of its epoch are lost.
    case openingLost
    /// The checksum matches and the seal does not: somebody has changed or made it who is not the board.
    case forgedPage
    /// The board could not seal or sign, for want of entropy or memory.
    case cannotSeal
}

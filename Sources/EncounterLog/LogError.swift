/// Why a log could not be mounted, written or read.
public enum LogError: Error, Equatable, BitwiseCopyable, Sendable {
    // The medium.

    /// The flash device failed.
    case flash(FlashError)
    /// The kernel gave no memory at start-up.
    case noMemory(byteCount: Int)
    /// The medium holds bytes that are neither blank nor a log, first seen in this page. It was left alone.
    case mediumHoldsSomethingElse(page: Int)
    /// The medium holds a log of another geometry. It was left alone.
    case geometryMismatch(found: FlashGeometry)
    /// A segment was erased, and still none of its pages reads erased.
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
    /// The header's checksum does not match: it was torn by a power cut, or bits have flipped.
    case damagedHeader
    /// Written by a later version of the format than this one can read.
    case unsupportedVersion(UInt8)
    /// Whole, but with flags that this version cannot read: sealed, for one.
    case unsupportedFlags(UInt8)
    /// The header is whole and yet its numbers contradict each other.
    case malformedHeader
    /// The header is whole, the entries are not.
    case damagedBody
    /// The page is whole and yet the entry at this byte of its body cannot be read.
    case malformedEntry(offset: Int)
}

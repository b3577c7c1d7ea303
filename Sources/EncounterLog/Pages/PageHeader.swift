import FixedMemory

/// The first 8 bytes of every page. docs/log-format.md has the table.
public struct PageHeader: Equatable, BitwiseCopyable, Sendable {
    /// Whether the entries are encrypted and followed by a tag.
    public var isSealed: Bool
    /// Whether a ``SegmentHeader`` precedes the entries.
    public var hasHeader: Bool
    /// Whether a ``PageLink`` precedes the entries.
    public var hasLink: Bool
    /// The number of the page's segment header within the segment, counted from 0, modulo 16.
    public var epoch: UInt8
    /// The size of the page without this header: segment header, link, entries, tag.
    public var contentByteCount: Int

    public static let byteCount = 8
    /// The version of the format that this code writes, and the only one that it reads.
    public static let formatVersion: UInt8 = 2
    /// The largest ordinal that the sync protocol's eight digits can name. No medium lasts that long (26 TB
    /// in small segments); the limit keeps a forged ordinal from making ordinals wrap.
    public static let maximumSegmentOrdinal: UInt32 = 99_999_999

    /// The upper half of the first byte; the version is the lower half. The byte is neither ASCII nor 0xD4,
    /// with which version 1 began.
    static let marker: UInt8 = 0xb0
    static let checksumOffset = 4

    init(isSealed: Bool, hasHeader: Bool, hasLink: Bool, epoch: UInt8, contentByteCount: Int) {
        self.isSealed = isSealed
        self.hasHeader = hasHeader
        self.hasLink = hasLink
        self.epoch = epoch
        self.contentByteCount = contentByteCount
    }

    /// The size of everything in front of the entries.
    public var prefixByteCount: Int {
        var count = Self.byteCount
        if hasHeader { count += SegmentHeader.byteCount(isSealed: isSealed) }
        if hasLink { count += PageLink.byteCount }
        return count
    }

    /// The size of everything but the entries.
    var overheadByteCount: Int { prefixByteCount + (isSealed ? PageSeal.tagByteCount : 0) }

    /// Reads the first 8 of `bytes` without checking the checksum, which covers the whole page. Version and
    /// flags keep their places in all versions of the format, which distinguishes a page of a later version
    /// from a damaged one.
    static func read(_ bytes: Span<UInt8>) throws(LogError) -> Unchecked {
        guard bytes.count >= byteCount else { throw .truncatedPage }
        guard !bytes.extracting(0..<byteCount).isErased else { throw .blankPage }
        if bytes[0] == 0xd4, bytes[1] == 0x54, bytes[2] == 0x42, bytes[3] == 0x4c {
            throw .unsupportedVersion(bytes[4])
        }
        guard bytes[0] & 0xf0 == marker else { throw .notALogPage }
        return Unchecked(
            version: bytes[0] & 0x0f, unknownFlags: bytes[1] & 0x08,
            header: PageHeader(
                isSealed: bytes[1] & 1 != 0, hasHeader: bytes[1] & 2 != 0, hasLink: bytes[1] & 4 != 0,
                epoch: bytes[1] >> 4, contentByteCount: Int(bytes.loadUInt16(at: 2))),
            checksum: bytes.loadUInt32(at: checksumOffset))
    }

    /// The header as read from a page that has not been checked.
    struct Unchecked {
        let version: UInt8
        let unknownFlags: UInt8
        let header: PageHeader
        let checksum: UInt32
    }

    /// All but the checksum: 4 bytes.
    func encoded() -> Bytes<4> {
        var bytes = Bytes<4>()
        bytes[0] = Self.marker | Self.formatVersion
        bytes[1] = (isSealed ? 1 : 0) | (hasHeader ? 2 : 0) | (hasLink ? 4 : 0) | epoch << 4
        bytes[2] = UInt8(truncatingIfNeeded: contentByteCount)
        bytes[3] = UInt8(truncatingIfNeeded: contentByteCount >> 8)
        return bytes
    }
}

extension Span where Element == UInt8 {
    /// Whether every byte reads 0xFF.
    var isErased: Bool { isAll(0xff) }

    /// Compares eight bytes at a time, because the log examines many blank blocks when it is mounted.
    func isAll(_ byte: UInt8) -> Bool {
        let word = UInt64(byte) &* 0x0101_0101_0101_0101
        var index = 0
        while index &+ 8 <= count {
            guard loadUInt64(at: index) == word else { return false }
            index &+= 8
        }
        while index < count {
            guard self[index] == byte else { return false }
            index &+= 1
        }
        return true
    }
}

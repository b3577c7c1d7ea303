import FixedMemory

/// The first 56 bytes of every page. Numbers are little-endian; docs/log-format.md has the table.
public struct PageHeader: Equatable, BitwiseCopyable, Sendable {
    /// The medium that the page was written to.
    public var geometry: FlashGeometry
    /// Grows by one or more with every segment begun, for as long as the log lives. The segment stands in slot
    /// `segmentOrdinal % segmentCount` of the medium. At most ``maximumSegmentOrdinal``.
    public var segmentOrdinal: UInt32
    /// The page's place in its segment, from 0.
    public var pageIndex: Int
    /// Bytes of entries after the header; the rest of the page is padding.
    public var entryByteCount: Int
    /// Which start of the agent wrote the page.
    public var bootIdentifier: UInt64
    /// Drawn at random when the medium was formatted.
    public var logIdentity: Bytes<16>
    /// CRC-32C of everything after the header.
    var bodyChecksum: UInt32

    public static let byteCount = 56
    /// The version of the format that this code writes, and the only one that it reads.
    public static let formatVersion: UInt8 = 1
    /// The largest that the sync protocol's eight digits can name. No medium lasts that long (26 TB of small segments);
    /// whoever forges a larger one must not make ordinals begin anew.
    public static let maximumSegmentOrdinal: UInt32 = 99_999_999

    /// The page's place in the whole life of the log. No two pages that were committed have the same.
    public var sequenceNumber: UInt64 {
        UInt64(segmentOrdinal) &* UInt64(truncatingIfNeeded: geometry.pagesPerSegment)
            &+ UInt64(truncatingIfNeeded: pageIndex)
    }

    /// Bytes of entries that a page can hold.
    static func bodyCapacity(_ geometry: FlashGeometry) -> Int { geometry.pageByteCount - byteCount }

    /// 0xD4, "TBL". The first byte is not ASCII: no text begins like this.
    static let magic: InlineArray<4, UInt8> = [0xd4, 0x54, 0x42, 0x4c]

    private static let checksumOffset = 52

    init(
        geometry: FlashGeometry, segmentOrdinal: UInt32, pageIndex: Int, entryByteCount: Int,
        bootIdentifier: UInt64, logIdentity: Bytes<16>, bodyChecksum: UInt32
    ) {
        self.geometry = geometry
        self.segmentOrdinal = segmentOrdinal
        self.pageIndex = pageIndex
        self.entryByteCount = entryByteCount
        self.bootIdentifier = bootIdentifier
        self.logIdentity = logIdentity
        self.bodyChecksum = bodyChecksum
    }

    /// Reads the first 56 of `bytes`; says nothing of the page's body.
    ///
    /// Magic, version, flags, page size and checksum keep their places in every version of the format, so that a
    /// page of a later one can be told from a damaged one.
    public init(_ bytes: Span<UInt8>) throws(LogError) {
        guard bytes.count >= Self.byteCount else { throw .truncatedPage }
        guard !bytes.extracting(0..<Self.byteCount).isErased else { throw .blankPage }
        for index in Self.magic.indices {
            guard bytes[index] == Self.magic[index] else { throw .notALogPage }
        }
        let checksum = UInt32(truncatingIfNeeded: bytes.littleEndian(at: Self.checksumOffset, byteCount: 4))
        guard CRC32C.checksum(of: bytes.extracting(0..<Self.checksumOffset)) == checksum else {
            throw .damagedHeader
        }
        guard bytes[4] == Self.formatVersion else { throw .unsupportedVersion(bytes[4]) }
        guard bytes[5] == 0 else { throw .unsupportedFlags(bytes[5]) }

        guard bytes[6] < 16,
            let geometry = FlashGeometry(
                pageByteCount: 1 &<< Int(bytes[6]),
                pagesPerSegment: Int(truncatingIfNeeded: bytes.littleEndian(at: 16, byteCount: 2)),
                segmentCount: Int(truncatingIfNeeded: bytes.littleEndian(at: 8, byteCount: 4)))
        else { throw .malformedHeader }
        self.geometry = geometry
        segmentOrdinal = UInt32(truncatingIfNeeded: bytes.littleEndian(at: 12, byteCount: 4))
        pageIndex = Int(truncatingIfNeeded: bytes.littleEndian(at: 18, byteCount: 2))
        entryByteCount = Int(truncatingIfNeeded: bytes.littleEndian(at: 20, byteCount: 2))
        bootIdentifier = bytes.littleEndian(at: 24, byteCount: 8)
        logIdentity = Bytes(bytes.extracting(32..<48)) ?? Bytes()
        bodyChecksum = UInt32(truncatingIfNeeded: bytes.littleEndian(at: 48, byteCount: 4))
        guard segmentOrdinal <= Self.maximumSegmentOrdinal, pageIndex < geometry.pagesPerSegment,
            entryByteCount <= Self.bodyCapacity(geometry)
        else { throw .malformedHeader }
    }

    /// The header as it stands on flash, its own checksum included.
    func encoded() -> FixedBuffer<56> {
        var bytes = FixedBuffer<56>()
        do throws(CapacityError) {
            for index in Self.magic.indices { try bytes.append(Self.magic[index]) }
            try bytes.append(Self.formatVersion)
            try bytes.append(0 as UInt8)
            try bytes.append(UInt8(truncatingIfNeeded: geometry.pageByteCount.trailingZeroBitCount))
            try bytes.append(0 as UInt8)
            try bytes.append(littleEndian: UInt32(truncatingIfNeeded: geometry.segmentCount))
            try bytes.append(littleEndian: segmentOrdinal)
            try bytes.append(littleEndian: UInt16(truncatingIfNeeded: geometry.pagesPerSegment))
            try bytes.append(littleEndian: UInt16(truncatingIfNeeded: pageIndex))
            try bytes.append(littleEndian: UInt16(truncatingIfNeeded: entryByteCount))
            try bytes.append(littleEndian: 0 as UInt16)
            try bytes.append(littleEndian: bootIdentifier)
            try bytes.append(logIdentity)
            try bytes.append(littleEndian: bodyChecksum)
            try bytes.append(littleEndian: CRC32C.checksum(of: bytes.span))
        } catch {
            preconditionFailure("the header's fields make 56 bytes")
        }
        return bytes
    }
}

extension Span where Element == UInt8 {
    /// Whether every byte reads 0xFF.
    var isErased: Bool {
        for index in indices where self[index] != 0xff { return false }
        return true
    }

    fileprivate func littleEndian(at offset: Int, byteCount: Int) -> UInt64 {
        var value: UInt64 = 0
        for index in 0..<byteCount {
            value |= UInt64(self[offset + index]) &<< UInt64(truncatingIfNeeded: 8 * index)
        }
        return value
    }
}

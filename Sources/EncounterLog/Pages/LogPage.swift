import Cryptography
import FixedMemory

/// One checked page: its header and contents. A view of the bytes; nothing is copied.
public struct LogPage: ~Escapable {
    public let header: PageHeader
    /// Where the page begins.
    public let position: LogPosition
    public let segmentHeader: SegmentHeader?
    public let link: PageLink?
    private let bytes: Span<UInt8>

    /// Checks `bytes`, which begin with a page, and ignores what follows it. Any bytes give a page or a typed
    /// error.
    ///
    /// - Parameter position: the bytes' position in the log. The checksum covers it, so a page that belongs
    ///   elsewhere is detected.
    @inline(never)
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>, at position: LogPosition) throws(LogError) {
        let unchecked = try PageHeader.read(bytes)
        let header = unchecked.header
        let byteCount = PageHeader.byteCount + header.contentByteCount
        guard byteCount <= bytes.count else { throw .truncatedPage }
        guard Self.checksum(of: bytes.extracting(0..<byteCount), at: position) == unchecked.checksum else {
            throw .damagedPage
        }
        guard unchecked.version == PageHeader.formatVersion else {
            throw .unsupportedVersion(unchecked.version)
        }
        guard unchecked.unknownFlags == 0 else { throw .unsupportedFlags(unchecked.unknownFlags) }
        guard header.overheadByteCount <= byteCount else { throw .malformedPage }
        var reader = ByteReader(bytes.extracting(PageHeader.byteCount..<header.prefixByteCount))
        segmentHeader = try Self.readHeader(&reader, bytes, header, position)
        link = try Self.readLink(&reader, header)
        self.header = header
        self.position = position
        self.bytes = bytes.extracting(0..<byteCount)
    }

    /// The page's size without the padding of its last unit.
    public var byteCount: Int { bytes.count }

    public var endPosition: LogPosition { position.moved(byBytes: byteCount) }

    public var entryByteCount: Int { bytes.count - header.overheadByteCount }

    /// The entries in the order in which they were appended; none if they are sealed.
    public var entries: EntryIterator {
        @_lifetime(copy self) get {
            EntryIterator(header.isSealed ? bytes.extracting(0..<0) : content)
        }
    }

    /// The entries, in clear or encrypted.
    var content: Span<UInt8> {
        @_lifetime(copy self) get {
            bytes.extracting(
                header.prefixByteCount..<bytes.count - (header.isSealed ? PageSeal.tagByteCount : 0))
        }
    }

    /// The authentication tag that follows sealed entries; nil if the page is not sealed.
    var tag: Bytes<16>? {
        guard header.isSealed else { return nil }
        return Bytes(bytes.extracting(bytes.count - PageSeal.tagByteCount..<bytes.count))
    }

    /// The bytes in front of the entries, which the seal also authenticates.
    var prefix: Span<UInt8> {
        @_lifetime(copy self) get { bytes.extracting(0..<header.prefixByteCount) }
    }

    /// The hash chain's value after this page.
    public var chainValue: Bytes<16> { Self.chainValue(of: bytes, at: position) }

    static func chainValue(of page: Span<UInt8>, at position: LogPosition) -> Bytes<16> {
        var hash = SHA256()
        hash.update(seed(position).span)
        hash.update(page)
        let digest = hash.finish()
        var value = Bytes<16>()
        for index in 0..<16 { value[index] = digest[index] }
        return value
    }

    /// CRC-32C of the position and of all bytes of the page except the checksum.
    static func checksum(of page: Span<UInt8>, at position: LogPosition) -> UInt32 {
        let seed = CRC32C.checksum(of: seed(position).span)
        let start = CRC32C.checksum(of: page.extracting(0..<PageHeader.checksumOffset), continuing: seed)
        return CRC32C.checksum(of: page.extracting(PageHeader.byteCount..<page.count), continuing: start)
    }

    /// Whether `bytes` begin with a page, of any version, that was made for this position.
    @inline(never)
    static func isWhole(_ bytes: Span<UInt8>, at position: LogPosition) -> Bool {
        do throws(LogError) {
            let unchecked = try PageHeader.read(bytes)
            let byteCount = PageHeader.byteCount + unchecked.header.contentByteCount
            return byteCount <= bytes.count
                && checksum(of: bytes.extracting(0..<byteCount), at: position) == unchecked.checksum
        } catch {
            return false
        }
    }

    /// How many rounds of the ring old a stale block can be. Blocks at a segment's end that several rounds in
    /// a row did not reach are older than one round.
    private static var roundsLeft: UInt32 { 3 }

    /// Whether the segment never wrote to this block of an overwritable medium. Then the block is blank, or
    /// holds a page of a segment that occupied the slot some rounds before.
    static func isUnwritten(_ block: Span<UInt8>, at position: LogPosition, segmentCount: Int) -> Bool {
        if block.isErased { return true }
        let count = UInt32(truncatingIfNeeded: segmentCount)
        var earlier = position
        for _ in 0..<roundsLeft {
            guard earlier.segmentOrdinal >= count else { break }
            earlier.segmentOrdinal -= count
            if isWhole(block, at: earlier) { return true }
        }
        // A new file reads zeros until the ring has gone round once.
        return position.segmentOrdinal < count && block.isAll(0)
    }

    static func seed(_ position: LogPosition) -> FixedBuffer<8> {
        var seed = FixedBuffer<8>()
        do throws(CapacityError) { try position.encode(into: &seed) } catch {
            preconditionFailure("a position has 8 bytes")
        }
        return seed
    }

    private static func readHeader(
        _ reader: inout ByteReader, _ page: Span<UInt8>, _ header: PageHeader, _ position: LogPosition
    ) throws(LogError) -> SegmentHeader? {
        guard header.hasHeader else { return nil }
        let bytes: Span<UInt8>
        do throws(EndOfBytes) {
            bytes = try reader.readBytes(SegmentHeader.byteCount(isSealed: header.isSealed))
        } catch {
            throw .truncatedPage
        }
        let segmentHeader = try SegmentHeader(
            bytes, header: page.extracting(0..<PageHeader.checksumOffset), isSealed: header.isSealed)
        guard segmentHeader.segmentOrdinal == position.segmentOrdinal else { throw .malformedPage }
        return segmentHeader
    }

    private static func readLink(
        _ reader: inout ByteReader, _ header: PageHeader
    ) throws(LogError) -> PageLink? {
        guard header.hasLink else { return nil }
        do throws(EndOfBytes) { return try PageLink(&reader) } catch { throw .truncatedPage }
    }
}

import FixedMemory

/// The segment header, in clear: in the first pages of each segment, and of each start of the agent. Two
/// pages hold it, at the start of two blocks, so that no single damage makes other pages unreadable.
public struct SegmentHeader: Equatable, BitwiseCopyable, Sendable {
    /// The geometry of the medium that the segment was written to.
    public var geometry: FlashGeometry
    /// The segment's number, which grows by one or more with every new segment of the log. The segment
    /// occupies slot `segmentOrdinal % segmentCount` of the medium. At most
    /// ``PageHeader/maximumSegmentOrdinal``.
    public var segmentOrdinal: UInt32
    /// The start of the agent that wrote the pages from here on.
    public var bootIdentifier: UInt64
    /// The log's identity, drawn when the medium was formatted.
    public var logIdentity: Bytes<16>
    /// A summary of the previous segment; nil if unknown.
    public var predecessor: SegmentSummary?
    /// The day on which the segment header was made; nil if the board did not know it.
    public var day: LogDay?
    /// Present in sealed pages.
    public var seal: EpochSeal?

    /// The number of bytes before ``seal``.
    static let plainByteCount = 78
    private static let checksumOffset = 74

    static func byteCount(isSealed: Bool) -> Int { plainByteCount + (isSealed ? EpochSeal.byteCount : 0) }

    init(
        geometry: FlashGeometry, segmentOrdinal: UInt32, bootIdentifier: UInt64, logIdentity: Bytes<16>,
        predecessor: SegmentSummary?, seal: EpochSeal? = nil
    ) {
        self.geometry = geometry
        self.segmentOrdinal = segmentOrdinal
        self.bootIdentifier = bootIdentifier
        self.logIdentity = logIdentity
        self.predecessor = predecessor
        self.seal = seal
    }

    /// Reads the segment header at the start of `bytes`. It has its own checksum, because mounting reads
    /// segment headers but not pages.
    ///
    /// - Parameters:
    ///   - header: the page's first 4 bytes, which the checksum covers too.
    ///   - isSealed: whether to read ``seal``.
    @inline(never)
    init(_ bytes: Span<UInt8>, header: Span<UInt8>, isSealed: Bool) throws(LogError) {
        guard bytes.count >= Self.byteCount(isSealed: isSealed) else { throw .truncatedPage }
        let checksum = Self.checksum(header, bytes.extracting(0..<Self.checksumOffset))
        guard checksum == bytes.loadUInt32(at: Self.checksumOffset) else { throw .damagedPage }
        guard bytes[0] < 16, bytes[1] < 16,
            let geometry = FlashGeometry(
                unitByteCount: 1 &<< Int(bytes[1]), blockByteCount: 1 &<< Int(bytes[0]),
                blocksPerSegment: Int(bytes.loadUInt16(at: 2)),
                segmentCount: Int(truncatingIfNeeded: bytes.loadUInt32(at: 4)))
        else { throw .malformedPage }
        self.geometry = geometry
        segmentOrdinal = bytes.loadUInt32(at: 8)
        bootIdentifier = bytes.loadUInt64(at: 12)
        logIdentity = Bytes(bytes.extracting(20..<36)) ?? Bytes()
        var reader = ByteReader(bytes.extracting(36..<bytes.count))
        do throws(EndOfBytes) {
            predecessor = try SegmentSummary.read(&reader)
            day = LogDay(rawValue: try reader.readUInt8())
            _ = try reader.readBytes(4)
            seal = isSealed ? try EpochSeal(&reader) : nil
        } catch {
            throw .truncatedPage
        }
        guard segmentOrdinal <= PageHeader.maximumSegmentOrdinal else { throw .malformedPage }
    }

    /// Reads the segment header of the page that `bytes` begin with; nil if it has no readable one. The page
    /// itself is not checked.
    public init?(pageStart bytes: Span<UInt8>) {
        do throws(LogError) {
            let header = try PageHeader.read(bytes)
            guard header.version == PageHeader.formatVersion, header.header.hasHeader else { return nil }
            self = try SegmentHeader(
                bytes.extracting(PageHeader.byteCount..<bytes.count),
                header: bytes.extracting(0..<PageHeader.checksumOffset), isSealed: header.header.isSealed)
        } catch {
            return nil
        }
    }

    func encode<Sink: ByteSink & ~Copyable>(
        into sink: inout Sink, header: Bytes<4>
    ) throws(CapacityError) {
        var plain = FixedBuffer<78>()
        try plain.append(UInt8(truncatingIfNeeded: geometry.blockByteCount.trailingZeroBitCount))
        try plain.append(UInt8(truncatingIfNeeded: geometry.unitByteCount.trailingZeroBitCount))
        try plain.append(littleEndian: UInt16(truncatingIfNeeded: geometry.blocksPerSegment))
        try plain.append(littleEndian: UInt32(truncatingIfNeeded: geometry.segmentCount))
        try plain.append(littleEndian: segmentOrdinal)
        try plain.append(littleEndian: bootIdentifier)
        try plain.append(logIdentity)
        try SegmentSummary.encode(predecessor, into: &plain)
        try plain.append(day?.rawValue ?? 0)
        try plain.append(littleEndian: Self.checksum(header.span, plain.span))
        try sink.append(plain.span)
        try seal?.encode(into: &sink)
    }

    private static func checksum(_ header: Span<UInt8>, _ plain: Span<UInt8>) -> UInt32 {
        CRC32C.checksum(of: plain, continuing: CRC32C.checksum(of: header))
    }
}

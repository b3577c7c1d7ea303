/// How a medium is divided: into segments, which are erased; into blocks, whose borders no page crosses; into
/// units, of which a page takes one or more. Two devices hold the same log only if their geometries are
/// equal.
public struct FlashGeometry: Equatable, BitwiseCopyable, Sendable {
    /// Bytes in one program operation: a power of two, 8...32,768. 16 on NOR flash, 4,096 on a file.
    public let unitByteCount: Int
    /// The largest page: a power of two, 256...32,768, and at least one unit.
    public let blockByteCount: Int
    /// 4...65,535.
    public let blocksPerSegment: Int
    /// 2...65,535: one segment can be erased while the others keep their contents.
    public let segmentCount: Int

    /// Nil unless every number is within its range and the medium's size in bytes fits an `Int32`.
    ///
    /// - Parameter unitByteCount: nil for a medium that programs whole blocks.
    public init?(
        unitByteCount: Int? = nil, blockByteCount: Int = 4096, blocksPerSegment: Int = 64, segmentCount: Int
    ) {
        let unitByteCount = unitByteCount ?? blockByteCount
        guard (256...32_768).contains(blockByteCount), blockByteCount & (blockByteCount - 1) == 0,
            (8...blockByteCount).contains(unitByteCount), unitByteCount & (unitByteCount - 1) == 0,
            (4...65_535).contains(blocksPerSegment), (2...65_535).contains(segmentCount)
        else { return nil }
        let segmentByteCount = blockByteCount.multipliedReportingOverflow(by: blocksPerSegment)
        let total = segmentByteCount.partialValue.multipliedReportingOverflow(by: segmentCount)
        guard !segmentByteCount.overflow, !total.overflow, total.partialValue <= 0x7fff_ffff else {
            return nil
        }
        self.unitByteCount = unitByteCount
        self.blockByteCount = blockByteCount
        self.blocksPerSegment = blocksPerSegment
        self.segmentCount = segmentCount
    }

    /// The geometry with as many whole segments as fit in `byteCount`; nil if that is fewer than two.
    public init?(fitting byteCount: Int, blockByteCount: Int = 4096, blocksPerSegment: Int = 64) {
        guard (1...32_768).contains(blockByteCount), (1...65_535).contains(blocksPerSegment) else {
            return nil
        }
        self.init(
            blockByteCount: blockByteCount, blocksPerSegment: blocksPerSegment,
            segmentCount: byteCount / (blockByteCount * blocksPerSegment))
    }

    public var blockCount: Int { blocksPerSegment * segmentCount }
    public var segmentByteCount: Int { blockByteCount * blocksPerSegment }
    public var byteCount: Int { segmentByteCount * segmentCount }

    func slotIndex(of ordinal: UInt32) -> Int {
        Int(truncatingIfNeeded: ordinal % UInt32(truncatingIfNeeded: segmentCount))
    }

    /// The size on the medium, in whole units, of a page with `byteCount` bytes.
    func programmedByteCount(_ byteCount: Int) -> Int {
        (byteCount + unitByteCount - 1) & ~(unitByteCount - 1)
    }
}

/// How a medium is divided. Two devices hold the same log only if their geometries are equal.
public struct FlashGeometry: Equatable, BitwiseCopyable, Sendable {
    /// A power of two, 256...32,768.
    public let pageByteCount: Int
    /// 4...65,535.
    public let pagesPerSegment: Int
    /// 2...65,535: one can be erased while the others keep what they hold.
    public let segmentCount: Int

    /// Nil unless every number is within its range and the whole medium's bytes can be counted in an `Int32`.
    public init?(pageByteCount: Int = 4096, pagesPerSegment: Int = 64, segmentCount: Int) {
        guard (256...32_768).contains(pageByteCount), pageByteCount & (pageByteCount - 1) == 0,
            (4...65_535).contains(pagesPerSegment), (2...65_535).contains(segmentCount)
        else { return nil }
        let segmentByteCount = pageByteCount.multipliedReportingOverflow(by: pagesPerSegment)
        let total = segmentByteCount.partialValue.multipliedReportingOverflow(by: segmentCount)
        guard !segmentByteCount.overflow, !total.overflow, total.partialValue <= 0x7fff_ffff else {
            return nil
        }
        self.pageByteCount = pageByteCount
        self.pagesPerSegment = pagesPerSegment
        self.segmentCount = segmentCount
    }

    /// The geometry with as many whole segments as fit in `byteCount`; nil if that is fewer than two.
    public init?(fitting byteCount: Int, pageByteCount: Int = 4096, pagesPerSegment: Int = 64) {
        guard pageByteCount > 0, (1...65_535).contains(pagesPerSegment), pageByteCount <= 32_768 else {
            return nil
        }
        self.init(
            pageByteCount: pageByteCount, pagesPerSegment: pagesPerSegment,
            segmentCount: byteCount / (pageByteCount * pagesPerSegment))
    }

    public var pageCount: Int { pagesPerSegment * segmentCount }
    public var segmentByteCount: Int { pageByteCount * pagesPerSegment }
    public var byteCount: Int { segmentByteCount * segmentCount }
}

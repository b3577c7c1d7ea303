import FixedMemory

/// The fields of a segment header that mounting needs. A whole segment header is large to pass around.
struct SegmentMark: BitwiseCopyable {
    let segmentOrdinal: UInt32
    let logIdentity: Bytes<16>

    /// Nil if the page has no segment header.
    ///
    /// - Parameter pageStart: the page's header, and the part of its segment header that has its own
    ///   checksum.
    @inline(never)  // keeps the image small
    init?(pageStart: Bytes<86>, geometry: FlashGeometry) throws(LogError) {
        let unchecked = try PageHeader.read(pageStart.span)
        guard unchecked.header.hasHeader else { return nil }
        let segmentHeader = try SegmentHeader(
            pageStart.span.extracting(PageHeader.byteCount..<86),
            header: pageStart.span.extracting(0..<PageHeader.checksumOffset), isSealed: false)
        guard unchecked.version == PageHeader.formatVersion else {
            throw .unsupportedVersion(unchecked.version)
        }
        guard segmentHeader.geometry == geometry else {
            throw .geometryMismatch(found: segmentHeader.geometry)
        }
        segmentOrdinal = segmentHeader.segmentOrdinal
        logIdentity = segmentHeader.logIdentity
    }
}

import FixedMemory

/// What mounting needs of an opening. An opening itself is large to hand about.
struct SegmentMark: BitwiseCopyable {
    let segmentOrdinal: UInt32
    let logIdentity: Bytes<16>

    /// Nil if the page that begins so has no opening.
    ///
    /// - Parameter pageStart: the page's header and the part of its opening that has its own checksum.
    @inline(never)  // for the image's size
    init?(pageStart: Bytes<86>, geometry: FlashGeometry) throws(LogError) {
        let unchecked = try PageHeader.read(pageStart.span)
        guard unchecked.header.hasOpening else { return nil }
        let opening = try SegmentOpening(
            pageStart.span.extracting(PageHeader.byteCount..<86),
            header: pageStart.span.extracting(0..<PageHeader.checksumOffset), isSealed: false)
        guard unchecked.version == PageHeader.formatVersion else {
            throw .unsupportedVersion(unchecked.version)
        }
        guard opening.geometry == geometry else { throw .geometryMismatch(found: opening.geometry) }
        segmentOrdinal = opening.segmentOrdinal
        logIdentity = opening.logIdentity
    }
}

import FixedMemory

@testable import EncounterLog

/// An entry's bytes on flash.
func encoded(_ entry: LogEntry) -> [UInt8] { entry.encoded }

/// The position of the pages that tests make.
let madePosition = LogPosition(segmentOrdinal: 6, byteOffset: 512)

/// Makes a page of these bytes as entries, valid or not, neither linked nor sealed, with a matching checksum.
func madePage(_ entryBytes: [UInt8]) throws -> [UInt8] {
    let header = PageHeader(
        isSealed: false, hasHeader: false, hasLink: false, epoch: 3, contentByteCount: entryBytes.count)
    let start = header.encoded()
    return ((0..<4).map { start[$0] } + [0, 0, 0, 0] + entryBytes).withChecksum()
}

extension [UInt8] {
    /// The page that these bytes form, with its checksum filled in.
    func withChecksum(at position: LogPosition = madePosition) -> [UInt8] {
        var page = self
        let checksum = LogPage.checksum(of: page.span, at: position)
        for index in 0..<4 {
            page[PageHeader.checksumOffset + index] = UInt8(truncatingIfNeeded: checksum >> (8 * index))
        }
        return page
    }
}

extension SegmentHeader {
    /// The bytes of a first page with nothing but this header, up to its checksum.
    static func unchecked(_ ordinal: UInt32, _ geometry: FlashGeometry) throws -> [UInt8] {
        var sink = FixedBuffer<128>()
        let header = PageHeader(
            isSealed: false, hasHeader: true, hasLink: false, epoch: 0,
            contentByteCount: SegmentHeader.plainByteCount)
        try sink.append(header.encoded())
        try sink.append(littleEndian: 0 as UInt32)
        try SegmentHeader(
            geometry: geometry, segmentOrdinal: ordinal, bootIdentifier: 1, logIdentity: testIdentity,
            predecessor: nil
        ).encode(into: &sink, header: header.encoded())
        return (0..<sink.count).map { sink[$0] }
    }
}

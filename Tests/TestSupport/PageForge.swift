import EncounterLog

/// Modifications of pages that are possible without any key: changing bytes and recomputing the checksum.
public enum PageForge {
    public struct Place {
        public let byteOffset: Int
        /// The length without padding.
        public let byteCount: Int

        public var range: Range<Int> { byteOffset..<byteOffset + byteCount }
    }

    /// The intact pages of a segment.
    public static func pages(of segment: [UInt8], ordinal: UInt32, _ geometry: FlashGeometry) -> [Place] {
        var reader = SegmentReader(
            segment.span, ordinal: ordinal, unitByteCount: geometry.unitByteCount,
            blockByteCount: geometry.blockByteCount)
        var places: [Place] = []
        while let place = reader.next() {
            guard place.fault == nil, let page = try? reader.page(at: place.byteOffset) else { continue }
            places.append(Place(byteOffset: place.byteOffset, byteCount: page.byteCount))
        }
        return places
    }

    /// Changes a page and writes its new checksum.
    public static func change(
        _ segment: inout [UInt8], at place: Place, ordinal: UInt32, _ change: (inout [UInt8]) -> Void
    ) {
        var page = Array(segment[place.range])
        change(&page)
        segment.replaceSubrange(
            place.range, with: sealed(page, ordinal: ordinal, byteOffset: place.byteOffset))
    }

    /// The page with the checksum for this place.
    public static func sealed(_ page: [UInt8], ordinal: UInt32, byteOffset: Int) -> [UInt8] {
        var page = page
        let position = [ordinal, UInt32(byteOffset)].flatMap(littleEndian)
        let checksum = crc32c(position + page[0..<4] + page[8...])
        page.replaceSubrange(4..<8, with: littleEndian(checksum))
        return page
    }

    public static func littleEndian(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(number >> (8 * $0) & 0xff) }
    }

    /// CRC-32C, computed bit by bit.
    public static func crc32c(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 0 ? 0 : 0x82f6_3b78) }
        }
        return ~remainder
    }
}

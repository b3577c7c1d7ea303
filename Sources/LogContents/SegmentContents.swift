import EncounterLog
import FixedMemory

/// The pages of a segment, as far as it was fetched and can be read. Any input bytes are accepted.
public struct SegmentContents: Sendable {
    /// In order, including the readable rest of damaged pages.
    public let pages: [PageContents]
    public let ordinal: UInt32
    package let byteCount: Int
    private let blockByteCount: Int
    private let unitByteCount: Int

    /// - Parameters:
    ///   - bytes: the segment from its start on.
    ///   - keys: decrypt encrypted pages; pages encrypted for another key stay locked.
    public init(
        _ bytes: [UInt8], ordinal: UInt32, unitByteCount: Int, blockByteCount: Int, keys: [OwnerKey] = []
    ) {
        self.init(
            bytes, ordinal: ordinal, unitByteCount: unitByteCount, blockByteCount: blockByteCount, keys: keys,
            redacted: [:])
    }

    /// - Parameter redacted: the pages from which entries were deliberately removed, by byte offset.
    package init(
        _ bytes: [UInt8], ordinal: UInt32, unitByteCount: Int, blockByteCount: Int, keys: [OwnerKey],
        redacted: [Int: RedactedPage]
    ) {
        let span = bytes.span
        var reader = SegmentReader(
            span, ordinal: ordinal, unitByteCount: unitByteCount, blockByteCount: blockByteCount)
        var places: [SegmentReader.Place] = []
        while let place = reader.next() { places.append(place) }
        let segmentHeaders = Self.segmentHeaders(of: places)
        var pages: [PageContents] = []
        for (place, segmentHeader) in zip(places, segmentHeaders) {
            do throws(LogError) {
                if let fault = place.fault { throw fault }
                let page = try reader.page(at: place.byteOffset)
                pages.append(
                    PageContents(
                        page, at: place, of: segmentHeader, keys: keys, redacted: redacted[place.byteOffset]))
            } catch {
                pages.append(PageContents(place))
            }
        }
        var identities = SegmentIdentities()
        for page in pages {
            page.entries.forEach { identities.record($0) }
            page.redacted?.identities.forEach { identities.record(.encounterIdentified($0)) }
        }
        for index in pages.indices { pages[index].resolve(by: identities) }
        self.pages = pages
        self.ordinal = ordinal
        byteCount = bytes.count
        self.blockByteCount = max(blockByteCount, 1)
        self.unitByteCount = max(unitByteCount, 1)
    }

    /// The segment header of each page's epoch. Two pages contain it, so if the first is damaged, pages
    /// before the second still get it.
    private static func segmentHeaders(of places: [SegmentReader.Place]) -> [SegmentHeader?] {
        typealias Epoch = (number: UInt8, segmentHeader: SegmentHeader)
        var segmentHeaders: [SegmentHeader?] = Array(repeating: nil, count: places.count)
        var last: Epoch?
        for (index, place) in places.enumerated() {
            guard let epoch = place.epoch else { continue }
            if let segmentHeader = place.segmentHeader { last = (epoch, segmentHeader) }
            if last?.number == epoch { segmentHeaders[index] = last?.segmentHeader }
        }
        var next: Epoch?
        for index in places.indices.reversed() {
            guard let epoch = places[index].epoch else { continue }
            if let segmentHeader = segmentHeaders[index] {
                next = (epoch, segmentHeader)
            } else if next?.number == epoch {
                segmentHeaders[index] = next?.segmentHeader
            }
        }
        return segmentHeaders
    }

    /// True if the input ends within the page, or, for an unreadable page, within its block.
    package func isCutShort(_ page: PageContents) -> Bool {
        guard page.byteOffset + page.byteCount == byteCount else { return false }
        return byteCount % (page.header == nil ? blockByteCount : unitByteCount) != 0
    }
}

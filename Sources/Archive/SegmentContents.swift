import EncounterLog
import FixedMemory

/// The pages of a segment, as far as it was fetched and can be read. Any bytes give a value.
public struct SegmentContents: Sendable {
    /// In order, with what is left of damaged ones.
    public let pages: [PageContents]
    private let byteCount: Int
    private let blockByteCount: Int
    private let unitByteCount: Int

    /// - Parameters:
    ///   - bytes: the segment from its start on.
    ///   - keys: open sealed pages; those sealed for another stay closed.
    public init(
        _ bytes: [UInt8], ordinal: UInt32, unitByteCount: Int, blockByteCount: Int, keys: [OpeningKey] = []
    ) {
        let span = bytes.span
        var pages: [PageContents] = []
        var reader = SegmentReader(
            span, ordinal: ordinal, unitByteCount: unitByteCount, blockByteCount: blockByteCount)
        var epoch: (opening: SegmentOpening, number: UInt8)?
        while let place = reader.next() {
            guard place.fault == nil else {
                pages.append(PageContents(place))
                continue
            }
            do throws(LogError) {
                let page = try reader.page(at: place.byteOffset)
                if let opening = page.opening { epoch = (opening, page.header.epoch) }
                let opening = epoch?.number == page.header.epoch ? epoch?.opening : nil
                pages.append(PageContents(page, at: place, of: opening, keys: keys))
            } catch {
                pages.append(PageContents(place))
            }
        }
        self.pages = pages
        byteCount = bytes.count
        self.blockByteCount = max(blockByteCount, 1)
        self.unitByteCount = max(unitByteCount, 1)
    }

    /// Whether the bytes end within the page, or, where nothing can be read, within its block.
    func isCutShort(_ page: PageContents) -> Bool {
        guard page.byteOffset + page.byteCount == byteCount else { return false }
        return byteCount % (page.header == nil ? blockByteCount : unitByteCount) != 0
    }

    /// The first opening that can be read in the image of a medium, or in a log one segment behind the other; nil when
    /// there is none.
    public static func firstOpening(in bytes: [UInt8]) -> SegmentOpening? {
        for start in stride(from: 0, to: bytes.count, by: 256) {
            if let opening = SegmentOpening(pageStart: bytes.span.extracting(start..<bytes.count)) {
                return opening
            }
        }
        return nil
    }

    /// Which segment these bytes are of, by the first opening that can be read; nil when there is none.
    public static func ordinal(of segment: [UInt8], blockByteCount: Int) -> UInt32? {
        for start in stride(from: 0, to: segment.count, by: max(blockByteCount, 256)) {
            if let opening = SegmentOpening(pageStart: segment.span.extracting(start..<segment.count)) {
                return opening.segmentOrdinal
            }
        }
        return nil
    }
}

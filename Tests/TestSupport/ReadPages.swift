import EncounterLog

/// The readable contents of a segment: pages with their entries, and an error for each place without a page.
/// Without their key, sealed pages have no entries.
public struct ReadPages {
    public struct Page {
        public var position: LogPosition
        public var header: PageHeader
        /// The segment header of the page's epoch; nil if no page with it can be read.
        public var segmentHeader: SegmentHeader?
        public var link: PageLink?
        public var entries: [LogEntry]
        public var chainValue: [UInt8]
        /// The length without padding.
        public var byteCount: Int
    }

    public private(set) var pages: [Page] = []
    public private(set) var errors: [LogError] = []

    public var entries: [LogEntry] { pages.flatMap(\.entries) }

    /// - Parameter bytes: A segment from its start.
    public init(
        segment bytes: [UInt8], ordinal: UInt32, geometry: FlashGeometry, keys: [OwnerKeyPair] = []
    ) {
        var reader = SegmentReader(
            bytes.span, ordinal: ordinal, unitByteCount: geometry.unitByteCount,
            blockByteCount: geometry.blockByteCount)
        var segmentHeader: SegmentHeader?
        var identities = SegmentIdentities()
        while let place = reader.next() {
            do throws(LogError) {
                if let fault = place.fault { throw fault }
                let page = try reader.page(at: place.byteOffset)
                segmentHeader = page.segmentHeader ?? segmentHeader
                let entries = try Self.entries(of: page, segmentHeader, keys)
                entries.forEach { identities.record($0) }
                let value = page.chainValue
                pages.append(
                    Page(
                        position: page.position, header: page.header, segmentHeader: segmentHeader,
                        link: page.link,
                        entries: entries, chainValue: (0..<16).map { value[$0] }, byteCount: page.byteCount))
            } catch {
                errors.append(error)
            }
        }
        for index in pages.indices { pages[index].entries = pages[index].entries.map(identities.resolved) }
    }

    private static func entries(
        of page: borrowing LogPage, _ segmentHeader: SegmentHeader?, _ keys: [OwnerKeyPair]
    ) throws(LogError) -> [LogEntry] {
        if page.header.isSealed, let segmentHeader, let seal = segmentHeader.seal,
            let key = keys.first(where: { $0.publicKey.fingerprint == seal.ownerKeyFingerprint })
        {
            return try key.entries(of: page, of: segmentHeader)
        }
        var entries: [LogEntry] = []
        var iterator = page.entries
        while let entry = try iterator.next() { entries.append(entry) }
        return entries
    }

    /// Reads the segment in the image of one slot; nil if no page tells which segment it is.
    public init?(slot bytes: [UInt8], geometry: FlashGeometry, keys: [OwnerKeyPair] = []) {
        for start in stride(from: 0, to: bytes.count, by: geometry.blockByteCount) {
            let block = Array(bytes[start..<min(start + geometry.blockByteCount, bytes.count)])
            guard let segmentHeader = SegmentHeader(pageStart: block.span) else { continue }
            self.init(segment: bytes, ordinal: segmentHeader.segmentOrdinal, geometry: geometry, keys: keys)
            return
        }
        return nil
    }

    /// Returns the pages of a whole medium, oldest first.
    public static func pages(
        ofMedium bytes: [UInt8], geometry: FlashGeometry, keys: [OwnerKeyPair] = []
    ) -> [Page] {
        let size = geometry.segmentByteCount
        return (0..<geometry.segmentCount).flatMap { slot in
            let slot = Array(bytes[slot * size..<(slot + 1) * size])
            return ReadPages(slot: slot, geometry: geometry, keys: keys)?.pages ?? []
        }.sorted { $0.position < $1.position }
    }
}

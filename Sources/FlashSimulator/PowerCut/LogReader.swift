import Cryptography
import EncounterLog
import FixedMemory

/// Reads logs through their sync interface, as a host does, and opens their pages with the owner key. It
/// caches its results by the bytes it has read.
final class LogReader {
    private struct Segment {
        var bytes: [UInt8]
        /// The identity of the log that the segment was read from.
        var identity: Bytes<16>
        var reading: LogReading
    }

    private struct Opened {
        var bytes: [UInt8]
        var entries: [LogEntry]
    }

    /// The cached versions of each place: that of the workload, and those of the trials from it.
    private static let versionsKept = 4

    private let geometry: FlashGeometry
    private var opener: PageOpener?
    private var segments: [UInt32: [Segment]] = [:]
    /// The opened pages by position, as one number.
    private var opened: [UInt64: [Opened]] = [:]

    init(_ geometry: FlashGeometry, opener: consuming PageOpener?) {
        self.geometry = geometry
        self.opener = opener
    }

    func read(_ log: inout EncounterLog<SimulatedFlash>) throws(LogError) -> LogReading {
        var reading = LogReading()
        var next = log.retainedSegment(from: 0)
        while let segment = next {
            var bytes = [UInt8](repeating: 0, count: segment.byteCount)
            var span = bytes.mutableSpan
            let count = try log.read(segment: segment.ordinal, offset: 0, into: &span)
            bytes.removeSubrange(count...)
            let part = read(bytes, ordinal: segment.ordinal, of: log.logIdentity)
            reading.pages += part.pages
            reading.faults += part.faults
            next = log.retainedSegment(from: segment.ordinal + 1)
        }
        return reading
    }

    private func read(_ bytes: [UInt8], ordinal: UInt32, of identity: Bytes<16>) -> LogReading {
        if let known = segments[ordinal]?.first(where: { $0.bytes == bytes && $0.identity == identity }) {
            return known.reading
        }
        let reading = takeApart(bytes, ordinal: ordinal, of: identity)
        let others = segments[ordinal, default: []].prefix(Self.versionsKept - 1)
        segments[ordinal] = [Segment(bytes: bytes, identity: identity, reading: reading)] + others
        return reading
    }

    private func takeApart(_ bytes: [UInt8], ordinal: UInt32, of identity: Bytes<16>) -> LogReading {
        var reading = LogReading()
        var reader = SegmentReader(
            bytes.span, ordinal: ordinal, unitByteCount: geometry.unitByteCount,
            blockByteCount: geometry.blockByteCount)
        var places: [SegmentReader.Place] = []
        var segmentHeaders = Openings()
        while let place = reader.next() {
            places.append(place)
            if place.fault == nil, let page = try? reader.page(at: place.byteOffset) {
                if let segmentHeader = page.segmentHeader, segmentHeader.logIdentity == identity {
                    segmentHeaders.whole.append((place.byteOffset, page.header.epoch, segmentHeader))
                }
            } else if let segmentHeader = SegmentHeader(
                pageStart: bytes.span.extracting(place.byteOffset..<bytes.count))
            {
                segmentHeaders.ofDamagedPages.append(
                    (place.byteOffset, bytes[place.byteOffset + 1] >> 4, segmentHeader))
            }
        }
        var identities = SegmentIdentities()
        for place in places {
            let position = LogPosition(segmentOrdinal: ordinal, byteOffset: UInt32(place.byteOffset))
            do throws(LogError) {
                if let fault = place.fault { throw fault }
                let page = try reader.page(at: place.byteOffset)
                if let segmentHeader = page.segmentHeader, segmentHeader.logIdentity != identity {
                    throw .forgedPage
                }
                guard
                    let segmentHeader = segmentHeaders.segmentHeader(
                        at: place.byteOffset, epoch: page.header.epoch)
                else {
                    throw .segmentHeaderLost
                }
                let entries = identities.read(try entries(of: page, segmentHeader, bytes, place))
                reading.pages.append(
                    LogReading.Page(
                        position: position, byteCount: page.byteCount,
                        bootIdentifier: segmentHeader.bootIdentifier,
                        numbers: entries.map(number), lostIdentityCount: entries.count(where: \.isReference),
                        chainBefore: page.link?.chainValue, chainBehind: page.chainValue))
            } catch {
                reading.faults.append(LogReading.Fault(position: position, error: error))
            }
        }
        return reading
    }

    /// The segment headers within one segment.
    private struct Openings {
        typealias Place = (byteOffset: Int, epoch: UInt8, segmentHeader: SegmentHeader)

        var whole: [Place] = []
        /// Headers in damaged pages; each has a checksum of its own.
        var ofDamagedPages: [Place] = []

        func segmentHeader(at byteOffset: Int, epoch: UInt8) -> SegmentHeader? {
            for places in [whole, ofDamagedPages] {
                let same = places.filter { $0.epoch == epoch }
                // The second copy of the header follows pages of the first copy's block.
                let place = same.last { $0.byteOffset <= byteOffset } ?? same.first
                if let place { return place.segmentHeader }
            }
            return nil
        }
    }

    private func number(of entry: LogEntry) -> Int? {
        guard case .identityReference(let reference) = entry else { return NumberedEntries.number(of: entry) }
        return NumberedEntries.number(of: reference)
    }

    private func entries(
        of page: borrowing LogPage, _ segmentHeader: SegmentHeader, _ segment: [UInt8],
        _ place: SegmentReader.Place
    ) throws(LogError) -> [LogEntry] {
        guard page.header.isSealed else { return try Self.list(page.entries) }
        let bytes = Array(segment[place.byteOffset..<place.byteOffset + page.byteCount])
        let key = UInt64(page.position.segmentOrdinal) << 32 | UInt64(page.position.byteOffset)
        if let known = opened[key]?.first(where: { $0.bytes == bytes }) { return known.entries }
        var room = [UInt8](repeating: 0, count: page.byteCount)
        var span = room.mutableSpan
        guard let count = try opener?.open(page, of: segmentHeader, into: &span) else {
            throw .sealedForAnotherKey
        }
        let entries = try Self.list(EntryIterator(room.span.extracting(0..<count)))
        let others = opened[key, default: []].prefix(Self.versionsKept - 1)
        opened[key] = [Opened(bytes: bytes, entries: entries)] + others
        return entries
    }

    private static func list(_ entries: consuming EntryIterator) throws(LogError) -> [LogEntry] {
        var iterator = entries
        var list: [LogEntry] = []
        while let entry = try iterator.next() { list.append(entry) }
        return list
    }
}

extension LogEntry {
    fileprivate var isReference: Bool {
        if case .identityReference = self { true } else { false }
    }
}

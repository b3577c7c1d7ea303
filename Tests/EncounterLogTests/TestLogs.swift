import EncounterLog
import FixedMemory
import FlashSimulator
import TestSupport

let testIdentity: Bytes<16> = {
    var identity = Bytes<16>()
    for index in 0..<16 { identity[index] = UInt8(0xa0 + index) }
    return identity
}()

extension FlashGeometry {
    /// Blocks of 256 bytes, four to a segment.
    static func small(segments: Int) -> FlashGeometry {
        guard let geometry = FlashGeometry(blockByteCount: 256, blocksPerSegment: 4, segmentCount: segments)
        else {
            preconditionFailure("not a geometry")
        }
        return geometry
    }

    static func blocks(of byteCount: Int, perSegment: Int, segments: Int) -> FlashGeometry {
        guard
            let geometry = FlashGeometry(
                blockByteCount: byteCount, blocksPerSegment: perSegment, segmentCount: segments)
        else { preconditionFailure("not a geometry") }
        return geometry
    }
}

func mount(_ medium: SimulatedMedium, boot: UInt64 = 1, identity: Bytes<16> = testIdentity) throws(LogError)
    -> EncounterLog<SimulatedFlash>
{
    try EncounterLog(
        mounting: SimulatedFlash(medium), newLogIdentity: identity, bootIdentifier: boot)
}

/// An entry that its number identifies.
func numberedEntry(_ number: Int) -> LogEntry {
    .sample(
        SampleEntry(
            encounter: UInt32(number), start: Instant(milliseconds: UInt64(number) * 8000),
            end: Instant(milliseconds: UInt64(number) * 8000 + 7900), readings: 30, minimumRSSIDBm: -80,
            maximumRSSIDBm: -60, meanRSSITenthsDBm: -655))
}

/// Reads a log through its sync side.
struct ReadLog {
    var pages: [ReadPages.Page] = []
    /// The errors of the places that could not be read.
    var errors: [LogError] = []

    var entries: [LogEntry] { pages.flatMap(\.entries) }

    /// The numbers of entries made by ``numberedEntry(_:)``; -1 for any other entry.
    var numbers: [Int] {
        entries.map { entry in
            guard case .sample(let sample) = entry, entry == numberedEntry(Int(sample.encounter)) else {
                return -1
            }
            return Int(sample.encounter)
        }
    }

    init(_ log: inout EncounterLog<SimulatedFlash>, keys: [OwnerKeyPair] = []) throws {
        for index in 0..<log.retainedSegmentCount {
            guard let segment = log.retainedSegment(at: index) else { break }
            read(try log.bytes(of: segment), ordinal: segment.ordinal, geometry: log.geometry, keys: keys)
        }
    }

    init(segment bytes: [UInt8], ordinal: UInt32, geometry: FlashGeometry) {
        read(bytes, ordinal: ordinal, geometry: geometry)
    }

    private mutating func read(
        _ bytes: [UInt8], ordinal: UInt32, geometry: FlashGeometry, keys: [OwnerKeyPair] = []
    ) {
        let read = ReadPages(segment: bytes, ordinal: ordinal, geometry: geometry, keys: keys)
        pages += read.pages
        errors += read.errors
    }
}

extension EncounterLog where Flash == SimulatedFlash {
    mutating func bytes(of segment: RetainedSegment) throws(LogError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: segment.byteCount)
        var span = bytes.mutableSpan
        let count = try read(segment: segment.ordinal, offset: 0, into: &span)
        precondition(count == segment.byteCount)
        return bytes
    }

    var committedBlockCount: Int { retainedByteCount / geometry.blockByteCount }

    mutating func appendNumbered(_ range: Range<Int>) throws(LogError) {
        for number in range { try append(numberedEntry(number), now: Instant(milliseconds: UInt64(number))) }
    }
}

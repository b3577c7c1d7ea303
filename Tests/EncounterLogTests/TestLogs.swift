import EncounterLog
import FixedMemory
import Simulator
import TestSupport

let testIdentity: Bytes<16> = {
    var identity = Bytes<16>()
    for index in 0..<16 { identity[index] = UInt8(0xa0 + index) }
    return identity
}()

extension FlashGeometry {
    /// Pages of 256 bytes, four to a segment.
    static func small(segments: Int) -> FlashGeometry {
        guard let geometry = FlashGeometry(pageByteCount: 256, pagesPerSegment: 4, segmentCount: segments)
        else {
            preconditionFailure("not a geometry")
        }
        return geometry
    }

    static func pages(of byteCount: Int, perSegment: Int, segments: Int) -> FlashGeometry {
        guard
            let geometry = FlashGeometry(
                pageByteCount: byteCount, pagesPerSegment: perSegment, segmentCount: segments)
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

/// An entry that can be told from all others by its number.
func numberedEntry(_ number: Int) -> LogEntry {
    .sample(
        SampleEntry(
            encounter: UInt32(number), startMilliseconds: UInt64(number) * 8000,
            endMilliseconds: UInt64(number) * 8000 + 7900, readings: 30, minimumRSSIDBm: -80,
            maximumRSSIDBm: -60, meanRSSITenthsDBm: -655))
}

/// What can be read of a log through its sync side.
struct ReadLog {
    var entries: [LogEntry] = []
    var headers: [PageHeader] = []
    /// Of the pages that could not be read.
    var errors: [LogError] = []

    /// The numbers of entries made by ``numberedEntry(_:)``; -1 for one that was never made so.
    var numbers: [Int] {
        entries.map { entry in
            guard case .sample(let sample) = entry, entry == numberedEntry(Int(sample.encounter)) else {
                return -1
            }
            return Int(sample.encounter)
        }
    }

    init(_ log: inout EncounterLog<SimulatedFlash>) throws {
        for index in 0..<log.retainedSegmentCount {
            guard let segment = log.retainedSegment(at: index) else { break }
            let bytes = try log.bytes(of: segment)
            for start in stride(from: 0, to: bytes.count, by: log.geometry.pageByteCount) {
                read(Array(bytes[start..<start + log.geometry.pageByteCount]))
            }
        }
    }

    init(page bytes: [UInt8]) { read(bytes) }

    private mutating func read(_ bytes: [UInt8]) {
        do throws(LogError) {
            let page = try LogPage(bytes.span)
            headers.append(page.header)
            var iterator = page.entries
            while let entry = try iterator.next() { entries.append(entry) }
        } catch {
            errors.append(error)
        }
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

    mutating func appendNumbered(_ range: Range<Int>) throws(LogError) {
        for number in range { try append(numberedEntry(number), nowMilliseconds: UInt64(number)) }
    }
}

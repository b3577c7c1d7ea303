import EncounterLog
import FixedMemory

/// A log segment as fetched by a host.
public struct FetchedSegment: Sendable {
    public let ordinal: UInt32
    public let bytes: [UInt8]
    public let isComplete: Bool

    public init(ordinal: UInt32, bytes: [UInt8], isComplete: Bool) {
        self.ordinal = ordinal
        self.bytes = bytes
        self.isComplete = isComplete
    }

    /// Fetches all segments of the log on `medium`; none if the log cannot be mounted. No other log may have
    /// the medium mounted.
    public static func all(on medium: SimulatedMedium) -> [FetchedSegment] {
        medium.willBeMounted()
        do throws(LogError) {
            var log = try EncounterLog(
                mounting: SimulatedFlash(medium), newLogIdentity: Bytes<16>(), bootIdentifier: 0)
            return try all(of: &log)
        } catch {
            return []
        }
    }

    /// Fetches all retained segments of `log`, oldest first.
    public static func all<Flash: FlashDevice>(
        of log: inout EncounterLog<Flash>
    ) throws(LogError) -> [FetchedSegment] {
        var segments: [FetchedSegment] = []
        for index in 0..<log.retainedSegmentCount {
            guard let segment = log.retainedSegment(at: index) else { continue }
            var bytes = [UInt8](repeating: 0, count: segment.byteCount)
            var span = bytes.mutableSpan
            _ = try log.read(segment: segment.ordinal, offset: 0, into: &span)
            segments.append(
                FetchedSegment(ordinal: segment.ordinal, bytes: bytes, isComplete: segment.isComplete))
        }
        return segments
    }
}

import EncounterLog
import FixedMemory

/// A segment of a log, as a host fetches it.
public struct FetchedSegment: Sendable {
    public let ordinal: UInt32
    public let bytes: [UInt8]
    public let isClosed: Bool

    public init(ordinal: UInt32, bytes: [UInt8], isClosed: Bool) {
        self.ordinal = ordinal
        self.bytes = bytes
        self.isClosed = isClosed
    }

    /// All that the log on `medium` has; nothing if it cannot be mounted. Nobody else may have it mounted.
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

    /// All that `log` has, oldest first.
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
                FetchedSegment(ordinal: segment.ordinal, bytes: bytes, isClosed: segment.isClosed))
        }
        return segments
    }
}

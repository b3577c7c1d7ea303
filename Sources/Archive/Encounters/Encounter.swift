import EncounterLog
import FixedMemory
import LogContents

/// The presence of one identity in range of one board, from the first to the last RSSI reading.
@dynamicMemberLookup
public struct Encounter: Sendable, Equatable {
    public var summary: EncounterSummary
    /// In order of time. They have only what the board's controller measured.
    public var samples: [Sample<TimelinePoint>]
    /// The RSSI readings that the peer wrote to the board, in order of time.
    public var writtenReadings: [Reading<TimelinePoint>] = []
    /// Every RSSI reading in order of time, if the board recorded them and the caller asked for them.
    public var readings: [Reading<TimelinePoint>] = []

    /// - Parameter summary: gets its numbers of samples and the summary of their strength from `samples`.
    public init(_ summary: EncounterSummary, samples: [Sample<TimelinePoint>]) {
        self.summary = summary
        self.samples = samples
        self.summary.signal.sampleCount = samples.count
        self.summary.signal.rssi = RSSISummary(samples)
    }

    @inlinable
    public subscript<Value>(dynamicMember member: KeyPath<EncounterSummary, Value>) -> Value {
        summary[keyPath: member]
    }

    public enum Timeline: Sendable, Hashable {
        /// Wall time. The error is the worst of all times concerned; nil if it is unknown.
        case wallClock(error: Interval?)
        /// Time since the boot with this identifier, during which the board had no clock.
        case sinceStart(boot: UInt64)

        public var isOnWallClock: Bool {
            guard case .wallClock = self else { return false }
            return true
        }
    }

    /// Adds a part that does not begin earlier.
    mutating func append(_ next: Encounter) {
        summary.append(next.summary)
        samples = (samples + next.samples).sorted { $0.start < $1.start }
        writtenReadings = (writtenReadings + next.writtenReadings).sorted { $0.time < $1.time }
        readings = (readings + next.readings).sorted { $0.time < $1.time }
    }
}

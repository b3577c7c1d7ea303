import EncounterLog
import FixedMemory
import LogContents

/// The presence of one identity in range of one board, from the first to the last RSSI reading.
public struct Encounter: Sendable, Equatable {
    public var board: LogIdentity
    /// Nil if the board could not read an identity.
    public var identity: Identity?
    /// The marks that hold for every time the identity was learnt. One successful read therefore clears
    /// ``IdentityMarks/written``.
    public var identityMarks = IdentityMarks.none
    /// The clock of all times here, including those of the samples.
    public var timeline: Timeline
    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    /// The error bounds of start and end, either way; nil if unknown or not on the wall clock.
    public var startErrorMilliseconds: Int64?
    public var endErrorMilliseconds: Int64?
    /// The basis of its times; for several boots the worst one.
    public var basis = ClockBasis.none
    /// Bounds of its wall time, since 1970 UTC, if its error is unknown; nil if unknown.
    public var notBeforeMilliseconds: Int64?
    public var notAfterMilliseconds: Int64?
    public var readingCount: Int
    /// In order of time.
    public var samples: [Sample]
    /// In order of appearance.
    public var addresses: [RecordedAddress]
    /// Six bytes each, in on-air order; in order of appearance.
    public var pseudoAddresses: [[UInt8]] = []
    /// The model that the device reports; nil if it was not read.
    public var model: String?
    public var manufacturer: String?
    /// Every RSSI reading in order of time, if the board recorded them and the caller asked for them.
    public var readings: [Reading] = []
    /// The boots in which it was recorded, in log order.
    public var boots: [UInt64]
    /// The configured position of the board when the encounter began.
    public var position: GeographicPosition?

    public var durationMilliseconds: Int64 { endMilliseconds - startMilliseconds }

    public enum Timeline: Sendable, Hashable {
        /// Milliseconds since 1970 UTC. The error is the worst of all times concerned; nil if it is unknown.
        case wallClock(errorMilliseconds: Int64?)
        /// Milliseconds since the boot with this identifier, during which the board had no clock.
        case sinceStart(boot: UInt64)

        public var isOnWallClock: Bool {
            guard case .wallClock = self else { return false }
            return true
        }
    }

    public var clockErrorMilliseconds: Int64? {
        guard case .wallClock(let error) = timeline else { return nil }
        return error
    }

    public var isOnWallClock: Bool { timeline.isOnWallClock }

    /// The summary over all RSSI readings; nil if no sample was kept.
    public var rssi: RSSISummary? { RSSISummary(samples) }
}

public struct RSSISummary: Sendable, Equatable {
    public let minimumDBm: Int
    public let maximumDBm: Int
    /// The mean of the samples, each weighted by its number of readings.
    public let meanDBm: Double

    public init?(_ samples: [Sample]) {
        guard let first = samples.first else { return nil }
        var minimum = first.minimumDBm
        var maximum = first.maximumDBm
        var sum = 0.0
        var weight = 0.0
        for sample in samples {
            minimum = min(minimum, sample.minimumDBm)
            maximum = max(maximum, sample.maximumDBm)
            sum += sample.meanDBm * Double(max(1, sample.readingCount))
            weight += Double(max(1, sample.readingCount))
        }
        minimumDBm = minimum
        maximumDBm = maximum
        meanDBm = sum / weight
    }
}

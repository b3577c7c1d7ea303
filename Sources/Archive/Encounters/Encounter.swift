import EncounterLog
import FixedMemory
import LogContents

/// One identity in range of one board, from the first to the last RSSI reading.
public struct Encounter: Sendable, Equatable {
    public var board: LogIdentity
    /// Nil when the board could not find out.
    public var identity: Identity?
    /// What is to be known of it: what holds whenever it was learnt. Read once, it is no longer only written.
    public var identityMarks = IdentityMarks.none
    /// The clock that all times here, the samples' included, are of.
    public var timeline: Timeline
    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    /// How far those may be off, either way; nil when nobody can say, or they are on no wall clock.
    public var startErrorMilliseconds: Int64?
    public var endErrorMilliseconds: Int64?
    /// What its times rest on; of several starts of the agent the worst.
    public var basis = ClockBasis.none
    /// Since 1970 UTC: all that is known of an encounter whose error nobody can say. Nil where nothing is.
    public var notBeforeMilliseconds: Int64?
    public var notAfterMilliseconds: Int64?
    public var readingCount: Int
    /// In order of time.
    public var samples: [Sample]
    /// In order of appearance.
    public var addresses: [RecordedAddress]
    /// Six bytes each, as on the air; in order of appearance.
    public var pseudoAddresses: [[UInt8]] = []
    /// What the device says it is; nil when it was not asked.
    public var model: String?
    public var manufacturer: String?
    /// In order of time, where the board writes every reading and they were asked for.
    public var readings: [Reading] = []
    /// The starts of the agent during which it was recorded, in order of the log.
    public var boots: [UInt64]
    /// Where the board was when it began, as configured.
    public var position: GeographicPosition?

    public var durationMilliseconds: Int64 { endMilliseconds - startMilliseconds }

    public enum Timeline: Sendable, Hashable {
        /// Milliseconds since 1970 UTC, right to within the error, which is the worst of all times that are meant; nil when
        /// nobody knows it.
        case wallClock(errorMilliseconds: Int64?)
        /// Milliseconds since the agent's start with this identifier: the board had no clock then.
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

    /// Over all readings; nil when no sample was kept.
    public var rssi: RSSISummary? { RSSISummary(samples) }
}

public struct RSSISummary: Sendable, Equatable {
    public let minimumDBm: Int
    public let maximumDBm: Int
    /// Each sample weighted with its readings.
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

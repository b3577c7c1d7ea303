import EncounterLog
import FixedMemory
import LogContents

/// The presence of one identity in range of one board, from the first to the last RSSI reading.
public struct Encounter: Sendable, Equatable {
    public var board: LogIdentity
    /// Nil if the board could not read an identity.
    public var identity: Identity?
    /// The advert by which the board found the peer; nil if that is lost.
    public var foundBy: PeerHint?
    /// The marks that hold for every time the identity was learnt. One successful read therefore clears
    /// ``IdentityMarks/written``. An encounter of a written identity is never joined with one of the same
    /// identity as the board read it, because anybody can write anybody's identity.
    public var identityMarks = IdentityMarks.none
    /// The clock of all times here, including those of the samples.
    public var timeline: Timeline
    public var start: TimelinePoint
    public var end: TimelinePoint
    /// The error bounds of start and end, either way; nil if unknown or not on the wall clock.
    public var startError: Interval?
    public var endError: Interval?
    /// The basis of its times; for several boots the worst one.
    public var basis = ClockBasis.none
    /// Bounds of its wall time if its error is unknown; nil if unknown.
    public var notBefore: WallClockTime?
    public var notAfter: WallClockTime?
    public var readingCount: Int
    /// In order of time. They have only what the board's controller measured.
    public var samples: [Sample<TimelinePoint>]
    /// The RSSI readings that the peer wrote to the board, in order of time.
    public var writtenReadings: [Reading<TimelinePoint>] = []
    /// In order of appearance.
    public var addresses: [RecordedAddress]
    /// Six bytes each, in on-air order; in order of appearance.
    public var pseudoAddresses: [[UInt8]] = []
    /// The model that the device reports; nil if it was not read.
    public var model: String?
    public var manufacturer: String?
    /// Every RSSI reading in order of time, if the board recorded them and the caller asked for them.
    public var readings: [Reading<TimelinePoint>] = []
    /// The boots in which it was recorded, in log order.
    public var boots: [UInt64]
    /// The configured position of the board when the encounter began.
    public var position: GeographicPosition?

    /// Whether the board measured nothing of it: the peer only wrote that it hears the board.
    public var isClaimed: Bool { samples.isEmpty && readingCount == 0 && !writtenReadings.isEmpty }

    /// Whether nothing but the peer's own writing says who was there, or that anybody was.
    public var isWritten: Bool { identityMarks.contains(.written) || isClaimed }

    /// The scheme of the peer's identity, or else of its adverts.
    public var kind: ContactKind { identity.map { .scheme($0.scheme) } ?? ContactKind(hint: foundBy) }

    public var duration: Interval { end.interval(since: start) }

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

    public var clockError: Interval? {
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

    public init?<Time>(_ samples: [Sample<Time>]) {
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

import EncounterLog
import FixedMemory
import LogContents

/// The decoded content of one board's log, grouped by boot of the agent, before anything is concluded from
/// it.
///
/// Times are those of the board's monotonic clock; they are comparable only within one boot.
public struct BoardHistory: Sendable, Equatable {
    public var board: LogIdentity
    public var name: String?
    /// In log order.
    public var boots: [BootHistory]
    /// The parts that the fetched log lacks, in log order.
    public var holes: [LogHole]
    /// The ranges that the board reports as erased, in log order.
    public var gaps: [LogGap]

    public init(
        board: LogIdentity, name: String? = nil, boots: [BootHistory], holes: [LogHole] = [],
        gaps: [LogGap] = []
    ) {
        self.board = board
        self.name = name
        self.boots = boots
        self.holes = holes
        self.gaps = gaps
    }
}

public struct BootHistory: Sendable, Equatable {
    public var identifier: UInt64
    /// Nil if the boot entry was overwritten or damaged.
    public var parameters: BootParameters?
    public var anchors: [Anchor]
    public var tracks: [RecordedTrack]
    public var coverage: [Coverage]
    /// In order of time.
    public var radioIncidents: [RadioIncident]
    /// The identities that the board served, of all schemes, in order of time.
    public var ownIdentities: [OwnIdentityRecord]
    /// In order of time.
    public var messages: [PeerMessage]
    /// In order of time.
    public var refusedIdentities: [RefusedIdentity]
    /// The moments that the wearer marked, in order of time.
    public var markers: [MarkerEntry]
    /// In order of time.
    public var batteryReadings: [BatteryEntry]
    /// The configured position of the board.
    public var position: GeographicPosition?
    /// Its times, if its tracks were left out; nil if they follow from all its records.
    var moments: BootMoments?

    public init(
        identifier: UInt64, parameters: BootParameters? = nil, anchors: [Anchor] = [],
        tracks: [RecordedTrack] = [],
        coverage: [Coverage] = [], radioIncidents: [RadioIncident] = [],
        ownIdentities: [OwnIdentityRecord] = [],
        messages: [PeerMessage] = [], refusedIdentities: [RefusedIdentity] = [],
        markers: [MarkerEntry] = [], batteryReadings: [BatteryEntry] = [],
        position: GeographicPosition? = nil
    ) {
        self.identifier = identifier
        self.parameters = parameters
        self.anchors = anchors
        self.tracks = tracks
        self.coverage = coverage
        self.radioIncidents = radioIncidents
        self.ownIdentities = ownIdentities
        self.messages = messages
        self.refusedIdentities = refusedIdentities
        self.markers = markers
        self.batteryReadings = batteryReadings
        self.position = position
    }
}

public struct BootParameters: Sendable, Equatable {
    public var start: Instant
    /// "1.2.3"
    public var softwareVersion: String
    public var sampleLength: Interval
    /// The encounter timeout: an identity that is out of range for longer begins a new encounter when it
    /// returns.
    public var encounterTimeout: Interval
    /// The most recording time that a power cut may cost.
    public var lossWindow: Interval
    public var role: UInt8

    public init(
        start: Instant, softwareVersion: String, sampleLength: Interval, encounterTimeout: Interval,
        lossWindow: Interval, role: UInt8
    ) {
        self.start = start
        self.softwareVersion = softwareVersion
        self.sampleLength = sampleLength
        self.encounterTimeout = encounterTimeout
        self.lossWindow = lossWindow
        self.role = role
    }
}

/// A pair of monotonic and wall time.
public struct Anchor: Sendable, Equatable {
    public enum Source: UInt8, Sendable { case systemClock = 1, host = 2 }

    public var instant: Instant
    public var wallClock: WallClockTime
    /// The error bound; ``unknownError`` if it is unknown.
    public var error: Interval
    /// Nil for a source that this version does not know.
    public var source: Source?

    public init(
        instant: Instant, wallClock: WallClockTime, error: Interval, source: Source?
    ) {
        self.instant = instant
        self.wallClock = wallClock
        self.error = error
        self.source = source
    }

    /// The value in the log for an unknown error: `UInt32.max`.
    public static let unknownError = Interval(milliseconds: UInt64(UInt32.max))
}

/// The board's entries under one encounter number, from opening to closing. `address` is the peer's first
/// address.
public struct RecordedTrack: Sendable, Equatable {
    public var number: UInt32
    /// Nil if the track's first entry is lost; the address is then nil too.
    public var firstSighting: Instant?
    public var address: RecordedAddress?
    /// The advert by which the peer was found; nil if that is lost.
    public var hint: PeerHint?
    /// In order of time. Several if the peer changed its identity on the same address, has several schemes,
    /// or wrote another identity than the board read.
    public var identifications: [Identification]
    /// In order of time.
    public var samples: [Sample<Instant>]
    /// From the closing entry; nil if the log ends before it.
    public var lastReading: Instant?
    public var readingCount: Int?
    /// Further details of the peer, in order of time.
    public var details: [TrackDetail]
    /// Every RSSI reading in order of time, if the board recorded them and the caller asked for them.
    public var readings: [Reading<Instant>]

    public init(
        number: UInt32, firstSighting: Instant? = nil, address: RecordedAddress? = nil,
        identifications: [Identification] = [], samples: [Sample<Instant>] = [], lastReading: Instant? = nil,
        readingCount: Int? = nil, details: [TrackDetail] = [], readings: [Reading<Instant>] = []
    ) {
        self.details = details
        self.readings = readings
        self.number = number
        self.firstSighting = firstSighting
        self.address = address
        self.identifications = identifications
        self.samples = samples
        self.lastReading = lastReading
        self.readingCount = readingCount
    }
}

public struct Identification: Sendable, Equatable {
    public var instant: Instant
    public var identity: Identity
    public var marks: IdentityMarks

    public init(instant: Instant, identity: Identity, marks: IdentityMarks = .none) {
        self.instant = instant
        self.identity = identity
        self.marks = marks
    }
}

/// A detail that the board learnt about a track's peer.
public struct TrackDetail: Sendable, Equatable {
    public enum What: Sendable, Hashable {
        /// The peer continues under this address.
        case address(RecordedAddress)
        /// Six bytes in on-air order.
        case pseudoAddress([UInt8])
        case model(String)
        /// The manufacturer's name.
        case manufacturer(String)
        /// How strongly the peer hears the board, as it wrote. The board measured nothing.
        case writtenRSSI(dBm: Int)
        /// A kind of a later version.
        case other(kind: UInt8, value: [UInt8])
    }

    public var instant: Instant
    public var what: What

    public init(instant: Instant, what: What) {
        self.instant = instant
        self.what = what
    }
}

/// One RSSI reading: on the boot's monotonic clock in a ``RecordedTrack``, on the timeline in an
/// ``Encounter``.
public struct Reading<Time: Comparable & Sendable>: Sendable, Equatable {
    public var time: Time
    /// The error bound of its wall time, either way; nil if it is unknown or the time is not on the wall
    /// clock.
    public var error: Interval?
    public var rssiDBm: Int

    public init(time: Time, error: Interval? = nil, rssiDBm: Int) {
        self.time = time
        self.error = error
        self.rssiDBm = rssiDBm
    }
}

/// The RSSI digest of a track over one bucket of time: on the boot's monotonic clock in a ``RecordedTrack``,
/// on the timeline in an ``Encounter``.
public struct Sample<Time: Comparable & Sendable>: Sendable, Equatable {
    /// The times of the bucket's first and last RSSI reading.
    public var start: Time
    public var end: Time
    public var readingCount: Int
    public var minimumDBm: Int
    public var maximumDBm: Int
    public var meanDBm: Double
    /// The transmit power that the peer advertises; nil if it advertises none.
    public var txPowerDBm: Int?

    public init(
        start: Time, end: Time, readingCount: Int, minimumDBm: Int, maximumDBm: Int,
        meanDBm: Double, txPowerDBm: Int? = nil
    ) {
        self.start = start
        self.end = end
        self.readingCount = readingCount
        self.minimumDBm = minimumDBm
        self.maximumDBm = maximumDBm
        self.meanDBm = meanDBm
        self.txPowerDBm = txPowerDBm
    }

    /// The same sample on another clock.
    public func placed<Place>(_ place: (Time) -> Place) -> Sample<Place> {
        Sample<Place>(
            start: place(start), end: place(end), readingCount: readingCount, minimumDBm: minimumDBm,
            maximumDBm: maximumDBm, meanDBm: meanDBm, txPowerDBm: txPowerDBm)
    }
}

/// An interval during which the board was scanning.
public struct Coverage: Sendable, Equatable {
    public var start: Instant
    public var end: Instant
    public var reportCount: Int
    public var malformedCount: Int
    public var droppedCount: Int
    public var evictedCount: Int
    /// When the controller listened; nil if unknown.
    public var timing: ScanTiming?

    public init(
        start: Instant, end: Instant, reportCount: Int, malformedCount: Int = 0,
        droppedCount: Int = 0, evictedCount: Int = 0, timing: ScanTiming? = nil
    ) {
        self.start = start
        self.end = end
        self.reportCount = reportCount
        self.malformedCount = malformedCount
        self.droppedCount = droppedCount
        self.evictedCount = evictedCount
        self.timing = timing
    }
}

extension BootHistory {
    /// The Herald identities in order of time. Periods without an identity are included.
    public var heraldIdentities: [OwnIdentityRecord] {
        ownIdentities.filter { $0.identity == nil || $0.identity?.scheme.id == .herald }
    }

    /// The Herald identities, each with the time when the next one replaced it; the last one ends at `end`.
    public func heraldPeriods(until end: Instant) -> [(own: OwnIdentityRecord, end: Instant)] {
        let identities = heraldIdentities
        let ends = identities.dropFirst().map(\.instant) + [end]
        return zip(identities, ends).map { ($0, $1) }
    }
}

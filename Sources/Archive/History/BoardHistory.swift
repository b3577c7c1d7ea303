import EncounterLog
import FixedMemory
import LogContents

/// The decoded content of one board's log, grouped by boot of the agent, before anything is concluded from
/// it.
///
/// Times are milliseconds of the board's monotonic clock; they are comparable only within one boot.
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
    /// The configured position of the board.
    public var position: GeographicPosition?

    public init(
        identifier: UInt64, parameters: BootParameters? = nil, anchors: [Anchor] = [],
        tracks: [RecordedTrack] = [],
        coverage: [Coverage] = [], radioIncidents: [RadioIncident] = [],
        ownIdentities: [OwnIdentityRecord] = [],
        messages: [PeerMessage] = [], refusedIdentities: [RefusedIdentity] = [],
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
        self.position = position
    }
}

public struct BootParameters: Sendable, Equatable {
    public var startMilliseconds: Int64
    /// "1.2.3"
    public var softwareVersion: String
    public var sampleMilliseconds: Int64
    /// The encounter timeout: an identity that is out of range for longer begins a new encounter when it
    /// returns.
    public var gapMilliseconds: Int64
    /// The most recording time that a power cut may cost.
    public var lossWindowMilliseconds: Int64
    public var role: UInt8

    public init(
        startMilliseconds: Int64, softwareVersion: String, sampleMilliseconds: Int64, gapMilliseconds: Int64,
        lossWindowMilliseconds: Int64, role: UInt8
    ) {
        self.startMilliseconds = startMilliseconds
        self.softwareVersion = softwareVersion
        self.sampleMilliseconds = sampleMilliseconds
        self.gapMilliseconds = gapMilliseconds
        self.lossWindowMilliseconds = lossWindowMilliseconds
        self.role = role
    }
}

/// A pair of monotonic and wall time (since 1970 UTC).
public struct Anchor: Sendable, Equatable {
    public enum Source: UInt8, Sendable { case systemClock = 1, host = 2 }

    public var monotonicMilliseconds: Int64
    public var wallClockMilliseconds: Int64
    /// The error bound; ``unknownErrorMilliseconds`` if it is unknown.
    public var errorMilliseconds: Int64
    /// Nil for a source that this version does not know.
    public var source: Source?

    public init(
        monotonicMilliseconds: Int64, wallClockMilliseconds: Int64, errorMilliseconds: Int64, source: Source?
    ) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.wallClockMilliseconds = wallClockMilliseconds
        self.errorMilliseconds = errorMilliseconds
        self.source = source
    }

    /// The value in the log for an unknown error: `UInt32.max`.
    public static let unknownErrorMilliseconds = Int64(UInt32.max)
}

/// The board's entries under one encounter number, from opening to closing. `address` is the peer's first
/// address.
public struct RecordedTrack: Sendable, Equatable {
    public var number: UInt32
    /// Nil, as is the address, if the opening entry is lost.
    public var firstSightingMilliseconds: Int64?
    public var address: RecordedAddress?
    /// In order of time. Several if the peer changed its identity on the same address, or has several
    /// schemes.
    public var identifications: [Identification]
    /// In order of time.
    public var samples: [Sample]
    /// From the closing entry; nil if the log ends before it.
    public var lastReadingMilliseconds: Int64?
    public var readingCount: Int?
    /// Further details of the peer, in order of time.
    public var details: [TrackDetail]
    /// Every RSSI reading in order of time, if the board recorded them and the caller asked for them.
    public var readings: [Reading]

    public init(
        number: UInt32, firstSightingMilliseconds: Int64? = nil, address: RecordedAddress? = nil,
        identifications: [Identification] = [], samples: [Sample] = [], lastReadingMilliseconds: Int64? = nil,
        readingCount: Int? = nil, details: [TrackDetail] = [], readings: [Reading] = []
    ) {
        self.details = details
        self.readings = readings
        self.number = number
        self.firstSightingMilliseconds = firstSightingMilliseconds
        self.address = address
        self.identifications = identifications
        self.samples = samples
        self.lastReadingMilliseconds = lastReadingMilliseconds
        self.readingCount = readingCount
    }
}

public struct Identification: Sendable, Equatable {
    public var monotonicMilliseconds: Int64
    public var identity: Identity
    public var marks: IdentityMarks

    public init(monotonicMilliseconds: Int64, identity: Identity, marks: IdentityMarks = .none) {
        self.monotonicMilliseconds = monotonicMilliseconds
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
        /// A kind of a later version.
        case other(kind: UInt8, value: [UInt8])
    }

    public var monotonicMilliseconds: Int64
    public var what: What

    public init(monotonicMilliseconds: Int64, what: What) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.what = what
    }
}

/// One RSSI reading.
public struct Reading: Sendable, Equatable {
    public var milliseconds: Int64
    /// The error bound of its wall time, either way; nil if it is unknown or the time is not on the wall
    /// clock.
    public var errorMilliseconds: Int64?
    public var rssiDBm: Int

    public init(milliseconds: Int64, errorMilliseconds: Int64? = nil, rssiDBm: Int) {
        self.milliseconds = milliseconds
        self.errorMilliseconds = errorMilliseconds
        self.rssiDBm = rssiDBm
    }
}

/// The RSSI digest of a track over one bucket of time.
public struct Sample: Sendable, Equatable {
    /// The times of the bucket's first and last RSSI reading.
    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    public var readingCount: Int
    public var minimumDBm: Int
    public var maximumDBm: Int
    public var meanDBm: Double
    /// The transmit power that the peer advertises; nil if it advertises none.
    public var txPowerDBm: Int?

    public init(
        startMilliseconds: Int64, endMilliseconds: Int64, readingCount: Int, minimumDBm: Int, maximumDBm: Int,
        meanDBm: Double, txPowerDBm: Int? = nil
    ) {
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.readingCount = readingCount
        self.minimumDBm = minimumDBm
        self.maximumDBm = maximumDBm
        self.meanDBm = meanDBm
        self.txPowerDBm = txPowerDBm
    }
}

/// An interval during which the board was scanning.
public struct Coverage: Sendable, Equatable {
    public var startMilliseconds: Int64
    public var endMilliseconds: Int64
    public var reportCount: Int
    public var malformedCount: Int
    public var droppedCount: Int
    public var evictedCount: Int

    public init(
        startMilliseconds: Int64, endMilliseconds: Int64, reportCount: Int, malformedCount: Int = 0,
        droppedCount: Int = 0, evictedCount: Int = 0
    ) {
        self.startMilliseconds = startMilliseconds
        self.endMilliseconds = endMilliseconds
        self.reportCount = reportCount
        self.malformedCount = malformedCount
        self.droppedCount = droppedCount
        self.evictedCount = evictedCount
    }
}

extension BootHistory {
    /// The Herald identities in order of time. Periods without an identity are included.
    public var heraldIdentities: [OwnIdentityRecord] {
        ownIdentities.filter { $0.identity == nil || $0.identity?.scheme.id == .herald }
    }

    /// The Herald identities, each with the time when the next one replaced it; the last one ends at `end`.
    public func heraldPeriods(until end: Int64) -> [(own: OwnIdentityRecord, endMilliseconds: Int64)] {
        let identities = heraldIdentities
        let ends = identities.dropFirst().map(\.monotonicMilliseconds) + [end]
        return zip(identities, ends).map { ($0, $1) }
    }
}

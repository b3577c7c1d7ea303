import EncounterLog
import FixedMemory
import LogContents

/// An encounter without its single samples and readings.
public struct EncounterSummary: Sendable, Equatable {
    public var board: LogIdentity
    /// Nil if the board could not read an identity.
    public var identity: Identity?
    /// The marks that hold for every time the identity was learnt. One successful read therefore clears
    /// ``IdentityMarks/written``. An encounter of a written identity is never joined with one of the same
    /// identity as the board read it, because anybody can write anybody's identity.
    public var identityMarks = IdentityMarks.none
    public var span: EncounterSpan
    public var peer: PeerDescription
    public var signal: EncounterSignal
    /// The boots in which it was recorded, in log order.
    public var boots: [UInt64]
    /// The configured position of the board when the encounter began.
    public var position: GeographicPosition?

    public init(
        board: LogIdentity, identity: Identity?, span: EncounterSpan, peer: PeerDescription,
        signal: EncounterSignal, boots: [UInt64]
    ) {
        self.board = board
        self.identity = identity
        self.span = span
        self.peer = peer
        self.signal = signal
        self.boots = boots
    }

    /// Whether the board measured nothing of it: the peer only wrote that it hears the board.
    public var isClaimed: Bool {
        signal.sampleCount == 0 && signal.readingCount == 0 && signal.writtenReadingCount > 0
    }

    /// Whether nothing but the peer's own writing says who was there, or that anybody was.
    public var isWritten: Bool { identityMarks.contains(.written) || isClaimed }

    /// The scheme of the peer's identity, or else of its adverts.
    public var kind: ContactKind { identity.map { .scheme($0.scheme) } ?? ContactKind(hint: peer.foundBy) }

    public var timeline: Encounter.Timeline { span.timeline }
    public var isOnWallClock: Bool { span.timeline.isOnWallClock }
    public var start: TimelinePoint { span.start }
    public var end: TimelinePoint { span.end }
    public var duration: Interval { span.end.interval(since: span.start) }

    /// The worst error of all its times; nil if unknown or not on the wall clock.
    public var clockError: Interval? {
        guard case .wallClock(let error) = span.timeline else { return nil }
        return error
    }

    /// Its wall times; nil if the board had no clock.
    public var wallClockStart: WallClockTime? { timeline.wallClock(start) }
    public var wallClockEnd: WallClockTime? { timeline.wallClock(end) }

    /// Adds a part that does not begin earlier.
    mutating func append(_ next: EncounterSummary) {
        span.append(next.span)
        identityMarks = identityMarks.intersection(next.identityMarks)
        signal.add(next.signal)
        peer.add(next.peer)
        for boot in next.boots where !boots.contains(boot) { boots.append(boot) }
    }
}

extension EncounterSummary {
    /// The error bounds of start and end, either way; nil if unknown or not on the wall clock.
    public var startError: Interval? { span.startError }
    public var endError: Interval? { span.endError }
    public var basis: ClockBasis { span.basis }
    /// Bounds of its wall time if its error is unknown; nil if unknown.
    public var notBefore: WallClockTime? { span.notBefore }
    public var notAfter: WallClockTime? { span.notAfter }
    public var readingCount: Int { signal.readingCount }
    /// Nil if no sample was kept.
    public var rssi: RSSISummary? { signal.rssi }
    /// In order of appearance.
    public var addresses: [RecordedAddress] { peer.addresses }
}

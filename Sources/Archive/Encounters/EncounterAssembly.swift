import EncounterLog
import FixedMemory
import LogContents

/// Assembles encounters from a board's history: a pure function of that history.
///
/// A track follows one address; an encounter follows one identity. Assembly takes two steps:
///
/// 1. It cuts each track where the peer changed its identity. A peer of several schemes gets an encounter in
///    each.
/// 2. It joins pieces of one identity whose silence is no longer than the board's encounter timeout. Pieces
///    join across addresses, and across boots if both have a wall clock.
///
/// Peers without an identity, or with one that many peers share, are joined by address alone.
///
/// Anybody can write anything to a board, under any address. So an identity that a peer only wrote counts
/// only in a track from which none of that scheme was read, and no piece with nothing but written evidence
/// joins one with better evidence.
public enum EncounterAssembly {
    /// The encounter timeout for a boot whose parameters are lost: the longest configurable one (HP-C33).
    public static let defaultEncounterTimeout = Interval.seconds(30)

    /// In order of time: first those on the wall clock, then those of each boot without one.
    public static func encounters(of history: BoardHistory) -> [Encounter] {
        let pieces = zip(history.boots, history.placements()).enumerated().flatMap { order, start in
            Self.pieces(of: start.0, start.1, order: order)
        }
        let groups = Dictionary(grouping: pieces, by: \.key).values
        let joined = groups.flatMap(join)
        return joined.sorted { $0.sortKey < $1.sortKey }.map { $0.encounter(of: history.board) }
    }

    /// Sorts encounters on the wall clock by start; the others follow in their given order.
    public static func inOrder(_ encounters: [Encounter]) -> [Encounter] {
        encounters.filter(\.isOnWallClock).sorted { $0.start < $1.start }
            + encounters.filter { !$0.isOnWallClock }
    }

    private static func pieces(of boot: BootHistory, _ placement: BootPlacement, order: Int) -> [Piece] {
        let context = PieceContext(
            boot: boot.identifier, order: order, placement: placement,
            encounterTimeout: boot.parameters?.encounterTimeout ?? defaultEncounterTimeout,
            position: boot.position)
        return boot.tracks.flatMap { pieces(of: $0, in: context) }
    }

    /// The pieces of each scheme that the track has identities of. A peer of two schemes has an encounter in
    /// both.
    private static func pieces(of track: RecordedTrack, in context: PieceContext) -> [Piece] {
        let schemes = Set(track.identifications.map(\.identity.scheme.rawValue)).sorted()
        guard schemes.count > 1 else { return piecesOfOneScheme(track, in: context) }
        return schemes.flatMap { scheme in
            var part = track
            part.identifications = track.identifications.filter { $0.identity.scheme.rawValue == scheme }
            return piecesOfOneScheme(part, in: context)
        }
    }

    /// One piece per identity of the track, in order of time; empty if nothing of the track is left.
    private static func piecesOfOneScheme(_ track: RecordedTrack, in context: PieceContext) -> [Piece] {
        // The first identity applies from the first sighting, because reading it took some time.
        var changes: [Identification] = []
        for identification in track.believedIdentifications
        where identification.identity != changes.last?.identity { changes.append(identification) }
        guard changes.count > 1 else {
            return [Piece(track, of: track.evidence(of: changes.first), samples: track.samples, in: context)]
                .compactMap(\.self)
        }
        return changes.indices.compactMap { index in
            let from = index == 0 ? Instant.start : changes[index].instant
            let to = index + 1 < changes.count ? changes[index + 1].instant : Instant.distantFuture
            var part = track
            part.samples = track.samples.filter { from <= $0.start && $0.start < to }
            part.readings = track.readings.filter { from <= $0.time && $0.time < to }
            part.details = track.details.filter { $0.what.isKept || from <= $0.instant && $0.instant < to }
            // The closing entry counts the readings of the whole track; the parts count those of their
            // samples.
            part.readingCount = nil
            if index > 0 { part.firstSighting = changes[index].instant }
            if index + 1 < changes.count { part.lastReading = nil }
            return Piece(part, of: track.evidence(of: changes[index]), samples: part.samples, in: context)
        }
    }

    private static func join(_ pieces: [Piece]) -> [Piece] {
        var joined: [Piece] = []
        for piece in pieces.sorted(by: { $0.sortKey < $1.sortKey }) {
            if let last = joined.last, last.isContinued(by: piece) {
                joined[joined.count - 1].append(piece)
            } else {
                joined.append(piece)
            }
        }
        return joined
    }
}

private struct PieceContext {
    let boot: UInt64
    /// The boot's position in the log.
    let order: Int
    let placement: BootPlacement
    let encounterTimeout: Interval
    let position: GeographicPosition?
}

/// A part of an encounter, on its timeline.
private struct Piece {
    enum Key: Hashable {
        case identity(Identity, isWritten: Bool)
        /// An address, and the identity too if it is not unique to one peer.
        case address(RecordedAddress, Identity?, isWritten: Bool)
        /// A piece that can be joined to no other.
        case alone(boot: UInt64, number: UInt32)
    }

    let key: Key
    let identity: Identity?
    let foundBy: PeerHint?
    var identityMarks: IdentityMarks
    let order: Int
    var timeline: Encounter.Timeline
    var start: TimelinePoint
    var end: TimelinePoint
    var startError: Interval?
    var endError: Interval?
    var basis: ClockBasis
    let notBefore: WallClockTime?
    var notAfter: WallClockTime?
    /// The encounter timeout of the boot in which the piece ends.
    var encounterTimeout: Interval
    var readingCount: Int
    var samples: [Sample<TimelinePoint>]
    var writtenReadings: [Reading<TimelinePoint>]
    var addresses: [RecordedAddress]
    var pseudoAddresses: [[UInt8]] = []
    var model: String?
    var manufacturer: String?
    var readings: [Reading<TimelinePoint>]
    var boots: [UInt64]
    /// The board's position when the piece began.
    let position: GeographicPosition?

    /// Nil when the track has no time at all: its entries were in pages that are lost.
    init?(
        _ track: RecordedTrack, of identification: Identification?, samples: [Sample<Instant>],
        in context: PieceContext
    ) {
        let identity = identification?.identity
        let written = track.writtenReadings
        let known =
            [track.firstSighting, track.lastReading].compactMap(\.self) + written.map(\.time)
        let starts = samples.map(\.start) + known
        let ends = samples.map(\.end) + known
        guard let first = starts.min(), let end = ends.max() else { return nil }

        let readingCount = max(track.readingCount ?? 0, samples.reduce(0) { $0 + $1.readingCount })
        let isWritten =
            identification?.marks.contains(.written) ?? false || readingCount == 0 && !written.isEmpty
        if let identity, identity.namesSomeone {
            key = .identity(identity, isWritten: isWritten)
        } else if let address = track.address {
            key = .address(address, identity, isWritten: isWritten)
        } else {
            key = .alone(boot: context.boot, number: track.number)
        }
        self.identity = identity
        foundBy = track.hint
        identityMarks = identification?.marks ?? .none
        order = context.order
        let placement = context.placement
        // The log is untrusted input, so an end may lie before its start; the start then replaces it.
        let last = max(first, end)
        let moments = [[first, last], samples.flatMap { [$0.start, $0.end] }].joined()
        timeline = placement.timeline(of: moments)
        start = placement.point(at: first)
        self.end = placement.point(at: last)
        startError = placement.error(at: first)
        endError = placement.error(at: last)
        basis = placement.basis
        notBefore = startError == nil ? placement.notBefore(first) : nil
        notAfter = endError == nil ? placement.notAfter(last) : nil
        encounterTimeout = context.encounterTimeout
        self.readingCount = readingCount
        writtenReadings = written.map { $0.placed(by: placement) }
        self.samples = samples.map { $0.placed(placement.point) }
        readings = track.readings.map { $0.placed(by: placement) }
        addresses = [track.address].compactMap(\.self)
        for detail in track.details {
            switch detail.what {
            case .address(let address): if !addresses.contains(address) { addresses.append(address) }
            case .pseudoAddress(let bytes):
                if !pseudoAddresses.contains(bytes) { pseudoAddresses.append(bytes) }
            case .model(let text): model = text
            case .manufacturer(let text): manufacturer = text
            case .writtenRSSI, .other: break
            }
        }
        boots = [context.boot]
        position = context.position
    }

    /// Pieces on the wall clock sort by time; the others sort by boot in log order.
    var sortKey: (Int, TimelinePoint, TimelinePoint) {
        switch timeline {
        case .wallClock: (-1, start, end)
        case .sinceStart: (order, start, end)
        }
    }

    func isContinued(by next: Piece) -> Bool {
        switch (timeline, next.timeline) {
        case (.wallClock, .wallClock): break
        case (.sinceStart(let boot), .sinceStart(let other)) where boot == other: break
        default: return false
        }
        guard next.start.interval(since: end) <= encounterTimeout else { return false }
        // Within one boot the silence is known exactly. Between two boots it is unknown if their clock errors
        // exceed the encounter timeout.
        return boots.contains(next.boots[0])
            || max(endError ?? .zero, next.startError ?? .zero) <= encounterTimeout
    }

    mutating func append(_ next: Piece) {
        if case .wallClock(let error) = timeline, case .wallClock(let other) = next.timeline {
            timeline = .wallClock(error: error.flatMap { error in other.map { max(error, $0) } })
        }
        basis = [basis, next.basis].max { $0.rank < $1.rank } ?? basis
        if next.end >= end {
            end = next.end
            endError = next.endError
            notAfter = next.notAfter
            encounterTimeout = next.encounterTimeout
        }
        identityMarks = identityMarks.intersection(next.identityMarks)
        readingCount += next.readingCount
        samples = (samples + next.samples).sorted { $0.start < $1.start }
        writtenReadings = (writtenReadings + next.writtenReadings).sorted { $0.time < $1.time }
        readings = (readings + next.readings).sorted { $0.time < $1.time }
        model = next.model ?? model
        manufacturer = next.manufacturer ?? manufacturer
        for address in next.pseudoAddresses where !pseudoAddresses.contains(address) {
            pseudoAddresses.append(address)
        }
        for address in next.addresses where !addresses.contains(address) { addresses.append(address) }
        for boot in next.boots where !boots.contains(boot) { boots.append(boot) }
    }

    func encounter(of board: LogIdentity) -> Encounter {
        Encounter(
            board: board, identity: identity, foundBy: foundBy, identityMarks: identityMarks,
            timeline: timeline,
            start: start,
            end: end, startError: startError,
            endError: endError, basis: basis,
            notBefore: notBefore, notAfter: notAfter,
            readingCount: readingCount, samples: samples, writtenReadings: writtenReadings,
            addresses: addresses, pseudoAddresses: pseudoAddresses, model: model, manufacturer: manufacturer,
            readings: readings,
            boots: boots, position: position)
    }
}

extension RecordedTrack {
    /// All that was learnt about one identity, with the marks that hold every time.
    fileprivate func evidence(of identification: Identification?) -> Identification? {
        guard var evidence = identification else { return nil }
        for other in identifications where other.identity == evidence.identity {
            evidence.marks = evidence.marks.intersection(other.marks)
        }
        return evidence
    }
}

extension TrackDetail.What {
    /// Whether it holds for all parts of a track, whenever it was learnt.
    fileprivate var isKept: Bool { if case .writtenRSSI = self { false } else { true } }
}

extension Reading<Instant> {
    fileprivate func placed(by placement: BootPlacement) -> Reading<TimelinePoint> {
        Reading<TimelinePoint>(
            time: placement.point(at: time), error: placement.error(at: time), rssiDBm: rssiDBm)
    }
}

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
public enum EncounterAssembly {
    /// The encounter timeout for a boot whose parameters are lost: the longest configurable one (HP-C33).
    public static let defaultGapMilliseconds: Int64 = 30_000

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
        encounters.filter(\.isOnWallClock).sorted { $0.startMilliseconds < $1.startMilliseconds }
            + encounters.filter { !$0.isOnWallClock }
    }

    private static func pieces(of boot: BootHistory, _ placement: BootPlacement, order: Int) -> [Piece] {
        let context = PieceContext(
            boot: boot.identifier, order: order, placement: placement,
            gapMilliseconds: boot.parameters?.gapMilliseconds ?? defaultGapMilliseconds,
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
        for identification in track.identifications
        where identification.identity != changes.last?.identity { changes.append(identification) }
        guard changes.count > 1 else {
            return [Piece(track, of: track.evidence(of: changes.first), samples: track.samples, in: context)]
                .compactMap(\.self)
        }
        return changes.indices.compactMap { index in
            let from = index == 0 ? Int64.min : changes[index].monotonicMilliseconds
            let to = index + 1 < changes.count ? changes[index + 1].monotonicMilliseconds : Int64.max
            var part = track
            part.samples = track.samples.filter { from <= $0.startMilliseconds && $0.startMilliseconds < to }
            part.readings = track.readings.filter { from <= $0.milliseconds && $0.milliseconds < to }
            // The closing entry counts the readings of the whole track; the parts count those of their
            // samples.
            part.readingCount = nil
            if index > 0 { part.firstSightingMilliseconds = changes[index].monotonicMilliseconds }
            if index + 1 < changes.count { part.lastReadingMilliseconds = nil }
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
    let gapMilliseconds: Int64
    let position: GeographicPosition?
}

/// A part of an encounter, on its timeline.
private struct Piece {
    enum Key: Hashable {
        case identity(Identity)
        /// An address, and the identity too if it is not unique to one peer.
        case address(RecordedAddress, Identity?)
        /// A piece that can be joined to no other.
        case alone(boot: UInt64, number: UInt32)
    }

    let key: Key
    let identity: Identity?
    var identityMarks: IdentityMarks
    let order: Int
    var timeline: Encounter.Timeline
    var startMilliseconds: Int64
    var endMilliseconds: Int64
    var startErrorMilliseconds: Int64?
    var endErrorMilliseconds: Int64?
    var basis: ClockBasis
    let notBeforeMilliseconds: Int64?
    var notAfterMilliseconds: Int64?
    /// The encounter timeout of the boot in which the piece ends.
    var gapMilliseconds: Int64
    var readingCount: Int
    var samples: [Sample]
    var addresses: [RecordedAddress]
    var pseudoAddresses: [[UInt8]] = []
    var model: String?
    var manufacturer: String?
    var readings: [Reading]
    var boots: [UInt64]
    /// The board's position when the piece began.
    let position: GeographicPosition?

    /// Nil when the track has no time at all: its entries were in pages that are lost.
    init?(
        _ track: RecordedTrack, of identification: Identification?, samples: [Sample],
        in context: PieceContext
    ) {
        let identity = identification?.identity
        let known = [track.firstSightingMilliseconds, track.lastReadingMilliseconds].compactMap(\.self)
        let starts = samples.map(\.startMilliseconds) + known
        let ends = samples.map(\.endMilliseconds) + known
        guard let start = starts.min(), let end = ends.max() else { return nil }

        if let identity, identity.namesSomeone {
            key = .identity(identity)
        } else if let address = track.address {
            key = .address(address, identity)
        } else {
            key = .alone(boot: context.boot, number: track.number)
        }
        self.identity = identity
        identityMarks = identification?.marks ?? .none
        order = context.order
        let placement = context.placement
        // The log is untrusted input, so an end may lie before its start; the start then replaces it.
        let last = max(start, end)
        let moments = [[start, last], samples.flatMap { [$0.startMilliseconds, $0.endMilliseconds] }].joined()
        timeline = placement.timeline(of: moments)
        startMilliseconds = placement.milliseconds(at: start)
        endMilliseconds = placement.milliseconds(at: last)
        startErrorMilliseconds = placement.errorMilliseconds(at: start)
        endErrorMilliseconds = placement.errorMilliseconds(at: last)
        basis = placement.basis
        notBeforeMilliseconds = startErrorMilliseconds == nil ? placement.notBefore(start) : nil
        notAfterMilliseconds = endErrorMilliseconds == nil ? placement.notAfter(last) : nil
        gapMilliseconds = context.gapMilliseconds
        readingCount = max(track.readingCount ?? 0, samples.reduce(0) { $0 + $1.readingCount })
        self.samples = samples.map { $0.placed(by: placement) }
        readings = track.readings.map { $0.placed(by: placement) }
        addresses = [track.address].compactMap(\.self)
        for detail in track.details {
            switch detail.what {
            case .address(let address): if !addresses.contains(address) { addresses.append(address) }
            case .pseudoAddress(let bytes):
                if !pseudoAddresses.contains(bytes) { pseudoAddresses.append(bytes) }
            case .model(let text): model = text
            case .manufacturer(let text): manufacturer = text
            case .other: break
            }
        }
        boots = [context.boot]
        position = context.position
    }

    /// Pieces on the wall clock sort by time; the others sort by boot in log order.
    var sortKey: (Int, Int64, Int64) {
        switch timeline {
        case .wallClock: (-1, startMilliseconds, endMilliseconds)
        case .sinceStart: (order, startMilliseconds, endMilliseconds)
        }
    }

    func isContinued(by next: Piece) -> Bool {
        switch (timeline, next.timeline) {
        case (.wallClock, .wallClock): break
        case (.sinceStart(let boot), .sinceStart(let other)) where boot == other: break
        default: return false
        }
        guard next.startMilliseconds - endMilliseconds <= gapMilliseconds else { return false }
        // Within one boot the silence is known exactly. Between two boots it is unknown if their clock errors
        // exceed the encounter timeout.
        return boots.contains(next.boots[0])
            || max(endErrorMilliseconds ?? 0, next.startErrorMilliseconds ?? 0) <= gapMilliseconds
    }

    mutating func append(_ next: Piece) {
        if case .wallClock(let error) = timeline, case .wallClock(let other) = next.timeline {
            timeline = .wallClock(errorMilliseconds: error.flatMap { error in other.map { max(error, $0) } })
        }
        basis = [basis, next.basis].max { $0.rank < $1.rank } ?? basis
        if next.endMilliseconds >= endMilliseconds {
            endMilliseconds = next.endMilliseconds
            endErrorMilliseconds = next.endErrorMilliseconds
            notAfterMilliseconds = next.notAfterMilliseconds
            gapMilliseconds = next.gapMilliseconds
        }
        identityMarks = identityMarks.intersection(next.identityMarks)
        readingCount += next.readingCount
        samples = (samples + next.samples).sorted { $0.startMilliseconds < $1.startMilliseconds }
        readings = (readings + next.readings).sorted { $0.milliseconds < $1.milliseconds }
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
            board: board, identity: identity, identityMarks: identityMarks, timeline: timeline,
            startMilliseconds: startMilliseconds,
            endMilliseconds: endMilliseconds, startErrorMilliseconds: startErrorMilliseconds,
            endErrorMilliseconds: endErrorMilliseconds, basis: basis,
            notBeforeMilliseconds: notBeforeMilliseconds, notAfterMilliseconds: notAfterMilliseconds,
            readingCount: readingCount, samples: samples,
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

extension Sample {
    fileprivate func placed(by placement: BootPlacement) -> Sample {
        var sample = self
        sample.startMilliseconds = placement.milliseconds(at: startMilliseconds)
        sample.endMilliseconds = placement.milliseconds(at: endMilliseconds)
        return sample
    }
}

extension Reading {
    fileprivate func placed(by placement: BootPlacement) -> Reading {
        Reading(
            milliseconds: placement.milliseconds(at: milliseconds),
            errorMilliseconds: placement.errorMilliseconds(at: milliseconds), rssiDBm: rssiDBm)
    }
}

import EncounterLog
import FixedMemory
import LogContents

/// A part of an encounter: what one track has of one identity without another between.
struct EncounterPiece {
    /// Where a piece comes from, and its place among pieces that begin and end at the same moments.
    struct Source: Comparable, Hashable {
        let boot: UInt64
        let track: UInt32
        /// The piece's place among those of its track.
        let number: Int

        static func < (left: Source, right: Source) -> Bool {
            (left.boot, left.track, left.number) < (right.boot, right.track, right.number)
        }
    }

    let key: EncounterKey
    /// The boot's place in the log.
    let order: Int
    /// Of each piece that was joined to this one, too.
    private(set) var sources: [Source]
    var encounter: Encounter
    /// The encounter timeout of the boot in which the piece ends.
    var encounterTimeout: Interval

    /// Nil when the track has no time at all: its entries were in pages that are lost.
    init?(
        _ track: RecordedTrack, of identification: Identification?, number: Int, in boot: PlacedBoot
    ) {
        let identity = identification?.identity
        let written = track.writtenReadings
        let known = [track.firstSighting, track.lastReading].compactMap(\.self) + written.map(\.time)
        let starts = track.samples.map(\.start) + known
        let ends = track.samples.map(\.end) + known
        guard let first = starts.min(), let end = ends.max() else { return nil }

        let readingCount = max(track.readingCount ?? 0, track.samples.reduce(0) { $0 + $1.readingCount })
        let isWritten =
            identification?.marks.contains(.written) ?? false || readingCount == 0 && !written.isEmpty
        if let identity, identity.namesSomeone {
            key = .identity(identity, isWritten: isWritten)
        } else if let address = track.address {
            key = .address(address, identity, isWritten: isWritten)
        } else {
            key = .alone(boot: boot.identifier, track: track.number)
        }
        let placement = boot.placement
        // The log is untrusted input, so an end may lie before its start; the start then replaces it.
        let span = EncounterSpan(
            first, max(first, end), others: track.samples.flatMap { [$0.start, $0.end] }, on: placement)
        var summary = EncounterSummary(
            board: boot.board, identity: identity, span: span, peer: PeerDescription(of: track),
            signal: EncounterSignal(readingCount: readingCount, writtenReadingCount: written.count),
            boots: [boot.identifier])
        summary.identityMarks = identification?.marks ?? .none
        summary.position = boot.position
        encounter = Encounter(summary, samples: track.samples.map { $0.placed(placement.point) })
        encounter.writtenReadings = written.map { $0.placed(by: placement) }
        encounter.readings = track.readings.map { $0.placed(by: placement) }
        encounterTimeout = boot.encounterTimeout
        order = boot.order
        sources = [Source(boot: boot.identifier, track: track.number, number: number)]
    }

    /// The same without single samples and readings, which the summary counts.
    func summarised() -> EncounterPiece {
        var piece = self
        piece.encounter.samples = []
        piece.encounter.writtenReadings = []
        piece.encounter.readings = []
        return piece
    }

    /// Where its first piece comes from.
    var source: Source { sources[0] }

    /// Pieces on the wall clock sort by time; the others sort by boot in log order.
    var sortKey: (Int, TimelinePoint, TimelinePoint, Source) {
        (encounter.isOnWallClock ? -1 : order, encounter.start, encounter.end, source)
    }

    func isContinued(by next: EncounterPiece) -> Bool {
        encounter.summary.span.isContinued(
            by: next.encounter.summary.span, within: encounterTimeout,
            isSameBoot: next.encounter.boots.first.map(encounter.boots.contains) ?? false)
    }

    mutating func append(_ next: EncounterPiece) {
        if next.encounter.end >= encounter.end { encounterTimeout = next.encounterTimeout }
        encounter.append(next.encounter)
        sources += next.sources
    }
}

/// The common properties of all pieces of a boot.
struct PlacedBoot {
    let board: LogIdentity
    let identifier: UInt64
    /// The boot's place in the log.
    let order: Int
    let placement: BootPlacement
    let encounterTimeout: Interval
    let position: GeographicPosition?
}

extension Reading<Instant> {
    fileprivate func placed(by placement: BootPlacement) -> Reading<TimelinePoint> {
        Reading<TimelinePoint>(
            time: placement.point(at: time), error: placement.error(at: time), rssiDBm: rssiDBm)
    }
}

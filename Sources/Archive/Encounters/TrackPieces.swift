import EncounterLog
import FixedMemory
import LogContents

/// Cuts tracks into pieces where the peer changed its identity.
extension EncounterPiece {
    /// The pieces of each scheme that the track has identities of. A peer of two schemes has an encounter in
    /// both.
    static func pieces(of track: RecordedTrack, in boot: PlacedBoot) -> [EncounterPiece] {
        let schemes = Set(track.identifications.map(\.identity.scheme.rawValue)).sorted()
        guard schemes.count > 1 else { return piecesOfOneScheme(track, from: 0, in: boot) }
        var pieces: [EncounterPiece] = []
        for scheme in schemes {
            var part = track
            part.identifications = track.identifications.filter { $0.identity.scheme.rawValue == scheme }
            pieces += piecesOfOneScheme(part, from: pieces.count, in: boot)
        }
        return pieces
    }

    /// One piece per identity of the track, in order of time; empty if nothing of the track is left.
    private static func piecesOfOneScheme(
        _ track: RecordedTrack, from number: Int, in boot: PlacedBoot
    ) -> [EncounterPiece] {
        // The first identity applies from the first sighting, because reading it took some time.
        var changes: [Identification] = []
        for identification in track.believedIdentifications
        where identification.identity != changes.last?.identity { changes.append(identification) }
        var pieces: [EncounterPiece] = []
        func add(_ part: RecordedTrack, of identification: Identification?) {
            let evidence = track.evidence(of: identification)
            let piece = EncounterPiece(part, of: evidence, number: number + pieces.count, in: boot)
            if let piece { pieces.append(piece) }
        }
        guard changes.count > 1 else {
            add(track, of: changes.first)
            return pieces
        }
        for index in changes.indices {
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
            add(part, of: changes[index])
        }
        return pieces
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

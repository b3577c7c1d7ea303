import EncounterLog

/// The contacts that an archive will lose, counted as encounters.
struct GoingContacts {
    private(set) var parts: [RedactionPlan.Part] = []
    private(set) var sampleCount = 0

    init(_ selection: ContactSelection, of history: BoardHistory, _ hints: [TrackKey: PeerHint]) {
        var kinds: [TrackKey: Set<ContactKind>] = [:]
        for boot in history.boots {
            for track in boot.tracks {
                let key = TrackKey(boot: boot.identifier, number: track.number)
                kinds[key] = selection.parts(of: track, boot: boot.identifier, hint: hints[key])
                if selection.tracks.contains(key) { sampleCount += track.samples.count }
            }
        }
        let usual = ContactRetention.usual.map(\.kind)
        let others = Set(kinds.values.joined()).subtracting(usual).sorted { $0.label < $1.label }
        parts = (usual + others).compactMap { kind in
            let encounters = EncounterAssembly.encounters(
                of: history.keeping(kind) { kinds[$0]?.contains(kind) == true })
            guard !encounters.isEmpty else { return nil }
            return RedactionPlan.Part(
                kind: kind, encounterCount: encounters.count,
                identityCount: Set(encounters.compactMap(\.identity)).count)
        }
    }
}

extension BoardHistory {
    /// The history reduced to these tracks, as contacts of one kind.
    fileprivate func keeping(_ kind: ContactKind, _ isIncluded: (TrackKey) -> Bool) -> BoardHistory {
        var history = self
        for index in history.boots.indices {
            let boot = boots[index]
            history.boots[index].tracks = boot.tracks.filter {
                isIncluded(TrackKey(boot: boot.identifier, number: $0.number))
            }.map { track in
                var track = track
                track.identifications.removeAll { .scheme($0.identity.scheme) != kind }
                return track
            }
        }
        return history
    }
}

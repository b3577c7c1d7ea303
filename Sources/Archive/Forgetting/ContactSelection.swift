import EncounterLog
import FixedMemory

/// Identifies a track of a board's log; track numbers count within one boot.
struct TrackKey: Hashable, Sendable {
    let boot: UInt64
    let number: UInt32
}

/// Selects the contacts of a board, and so the log entries, that an archive will remove.
struct ContactSelection: Sendable {
    enum Rule: Sendable {
        /// Contacts that ended before their scheme's retention time.
        case expired(ContactRetention, now: WallClockTime)
        /// Contacts with one identity.
        case identity(Identity)
    }

    let rule: Rule
    /// Tracks of which every entry is removed.
    private(set) var tracks: Set<TrackKey> = []
    /// The latest possible end of each other track, if it is known.
    private var ends: [TrackKey: WallClockTime] = [:]
    private let placements: [UInt64: BootPlacement]
    /// The number of tracks whose age cannot be determined.
    private(set) var undatedCount = 0

    /// - Parameter hints: the advert kind by which each track was found.
    init(_ rule: Rule, in history: BoardHistory, hints: [TrackKey: PeerHint]) {
        self.rule = rule
        placements = Dictionary(
            zip(history.boots.map(\.identifier), history.placements()),
            uniquingKeysWith: { first, _ in first })
        switch rule {
        case .expired: selectExpired(history, hints)
        case .identity(let identity): select(identity, history)
        }
    }

    /// True if the entry is removed.
    func covers(_ entry: LogEntry, boot: UInt64) -> Bool {
        let key = entry.encounter.map { TrackKey(boot: boot, number: $0) }
        if let key, tracks.contains(key) { return true }
        switch rule {
        case .expired:
            // A track that stays may contain entries of a scheme whose retention time is over.
            guard let scheme = entry.scheme else { return false }
            return isOver(.scheme(scheme), at: key.flatMap { ends[$0] } ?? end(of: entry, boot: boot))
        case .identity(let identity): return entry.holds(identity)
        }
    }

    /// The kinds of contact that a track loses: all its kinds if the track is removed, otherwise the expired
    /// ones.
    func parts(of track: RecordedTrack, boot: UInt64, hint: PeerHint?) -> Set<ContactKind> {
        let key = TrackKey(boot: boot, number: track.number)
        let kinds = track.kinds(hint)
        if tracks.contains(key) { return kinds }
        guard case .expired = rule else { return [] }
        return kinds.filter { isOver($0, at: ends[key]) }
    }

    // MARK: By age

    private mutating func selectExpired(_ history: BoardHistory, _ hints: [TrackKey: PeerHint]) {
        for boot in history.boots {
            for track in boot.tracks {
                let key = TrackKey(boot: boot.identifier, number: track.number)
                guard let end = track.moments.max().flatMap({ wallClock($0, boot: boot.identifier) }) else {
                    undatedCount += 1
                    continue
                }
                if track.kinds(hints[key]).allSatisfy({ isOver($0, at: end) }) {
                    tracks.insert(key)
                } else {
                    ends[key] = end
                }
            }
        }
    }

    private func isOver(_ kind: ContactKind, at end: WallClockTime?) -> Bool {
        guard case .expired(let retention, let now) = rule, let end else { return false }
        return end < retention.limit(kind, now: now)
    }

    private func end(of entry: LogEntry, boot: UInt64) -> WallClockTime? {
        wallClock(entry.latestInstant, boot: boot)
    }

    private func wallClock(_ moment: Instant, boot: UInt64) -> WallClockTime? {
        placements[boot]?.latest(at: moment)
    }

    // MARK: By identity

    /// Selects the tracks with the identity and all tracks with the same addresses, because they belong to
    /// the same device.
    private mutating func select(_ identity: Identity, _ history: BoardHistory) {
        var addresses: Set<RecordedAddress> = []
        func allTracks(where isIncluded: (RecordedTrack) -> Bool) -> [(TrackKey, RecordedTrack)] {
            history.boots.flatMap { boot in
                boot.tracks.filter(isIncluded).map {
                    (TrackKey(boot: boot.identifier, number: $0.number), $0)
                }
            }
        }
        let identified = allTracks { $0.identifications.contains { $0.identity.matches(identity) } }
        for (_, track) in identified { addresses.formUnion(track.addresses) }
        let sharing = allTracks { !addresses.isDisjoint(with: $0.addresses) }
        tracks = Set(identified.map(\.0)).union(sharing.map(\.0))
    }
}

extension BootPlacement {
    /// The latest possible wall time, including the clock's error; nil if it is unknown.
    func latest(at instant: Instant) -> WallClockTime? {
        notAfter(instant) ?? wallClock(at: instant)
    }
}

extension RecordedTrack {
    var moments: [Instant] {
        [firstSighting, lastReading].compactMap(\.self)
            + samples.flatMap { [$0.start, $0.end] }
            + identifications.map(\.instant) + details.map(\.instant)
    }

    /// All addresses of the peer.
    var addresses: Set<RecordedAddress> {
        var all = Set([address].compactMap(\.self))
        for detail in details {
            if case .address(let address) = detail.what { all.insert(address) }
        }
        return all
    }

    func kinds(_ hint: PeerHint?) -> Set<ContactKind> {
        let schemes = Set(identifications.map { ContactKind.scheme($0.identity.scheme) })
        return schemes.isEmpty ? [ContactKind(hint: hint)] : schemes
    }
}

extension Identity {
    /// True if the identities are equal, or if the page with this identity is lost and its remaining hash
    /// matches.
    fileprivate func matches(_ other: Identity) -> Bool {
        self == other || lostHash == other.hash && scheme == other.scheme
    }
}

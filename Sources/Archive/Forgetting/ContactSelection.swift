import EncounterLog
import FixedMemory

/// A track of a board's log: its number counts within one start of the agent.
struct TrackKey: Hashable, Sendable {
    let boot: UInt64
    let number: UInt32
}

/// Which contacts of a board an archive is to lose, and so which entries of its log.
struct ContactSelection: Sendable {
    enum Rule: Sendable {
        /// What ended before its scheme's time.
        case expired(ContactRetention, nowMilliseconds: Int64)
        /// What is of one identity.
        case identity(Identity)
    }

    let rule: Rule
    /// All of these goes.
    private(set) var tracks: Set<TrackKey> = []
    /// When the others ended at the latest, since 1970 UTC, where that is known.
    private var ends: [TrackKey: Int64] = [:]
    private let placements: [UInt64: BootPlacement]
    /// Tracks that nothing dates.
    private(set) var undatedCount = 0

    /// - Parameter hints: what tracks were found by.
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

    /// Whether the entry goes.
    func covers(_ entry: LogEntry, boot: UInt64) -> Bool {
        let key = entry.encounter.map { TrackKey(boot: boot, number: $0) }
        if let key, tracks.contains(key) { return true }
        switch rule {
        case .expired:
            // A track that stays may hold what is of a scheme whose time is over.
            guard let scheme = entry.scheme else { return false }
            return isOver(.scheme(scheme), at: key.flatMap { ends[$0] } ?? end(of: entry, boot: boot))
        case .identity(let identity): return entry.holds(identity)
        }
    }

    /// Under what a track that goes is counted; of one that stays, what of it goes.
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

    private func isOver(_ kind: ContactKind, at end: Int64?) -> Bool {
        guard case .expired(let retention, let now) = rule, let end else { return false }
        return end < now - retention.milliseconds(kind)
    }

    private func end(of entry: LogEntry, boot: UInt64) -> Int64? {
        wallClock(PageImporter.milliseconds(entry.latestMilliseconds), boot: boot)
    }

    private func wallClock(_ moment: Int64, boot: UInt64) -> Int64? {
        placements[boot]?.latestMilliseconds(at: moment)
    }

    // MARK: By identity

    /// The tracks that it was learnt of, and all of the same addresses: those are of the same device.
    private mutating func select(_ identity: Identity, _ history: BoardHistory) {
        var addresses: Set<RecordedAddress> = []
        func visit(_ isMeant: (RecordedTrack) -> Bool) -> [(TrackKey, RecordedTrack)] {
            history.boots.flatMap { boot in
                boot.tracks.filter(isMeant).map {
                    (TrackKey(boot: boot.identifier, number: $0.number), $0)
                }
            }
        }
        let own = visit { $0.identifications.contains { $0.identity.isOrWas(identity) } }
        for (_, track) in own { addresses.formUnion(track.addresses) }
        tracks = Set(own.map(\.0)).union(visit { !addresses.isDisjoint(with: $0.addresses) }.map(\.0))
    }
}

extension BootPlacement {
    /// When it was at the latest, since 1970 UTC, the clock's error added; nil where nothing tells.
    func latestMilliseconds(at monotonic: Int64) -> Int64? {
        notAfter(monotonic) ?? (isOnWallClock ? milliseconds(at: monotonic) : nil)
    }
}

extension RecordedTrack {
    var moments: [Int64] {
        [firstSightingMilliseconds, lastReadingMilliseconds].compactMap(\.self)
            + samples.flatMap { [$0.startMilliseconds, $0.endMilliseconds] }
            + identifications.map(\.monotonicMilliseconds) + details.map(\.monotonicMilliseconds)
    }

    /// All that it went by.
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
    /// The same, or what is left of it where the page is lost that said who it was.
    fileprivate func isOrWas(_ other: Identity) -> Bool {
        self == other || lostHash == other.hash && scheme == other.scheme
    }
}

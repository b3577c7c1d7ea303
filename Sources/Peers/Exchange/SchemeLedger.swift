import EncounterLog
import FixedMemory
import Schemes

/// The identities that each peer gave in schemes other than Herald: over links, or in its adverts. A peer
/// is known by its slot and key. A slot's content counts only for the key that it was stored under.
public struct SchemeLedger: ~Copyable {
    /// The kinds of adverts, of schemes other than Herald, that the recorder evaluates.
    public let heardHints: PeerHintSet
    /// By place: ``SchemeID/linkCount`` for each slot, and just one if the agent reads none of these
    /// schemes.
    private var identities: FixedArray<SchemeIdentity>
    /// The progress of searches, by slot.
    private var searches: FixedArray<SchemeSearch>
    /// The identities that adverts carry, by slot.
    private var advertised: FixedArray<AdvertisedRecord>

    public init(capacity: Int, heardHints: PeerHintSet) throws(MemoryError) {
        let readsSchemes =
            heardHints.contains(.sonar) || heardHints.contains(.covidTracer)
            || heardHints.contains(.bleProximity)
        let slotCount = readsSchemes ? capacity : 0
        let identities = try FixedArray<SchemeIdentity>(zeroed: max(slotCount * SchemeID.linkCount, 1))
        let searches = try FixedArray<SchemeSearch>(zeroed: max(slotCount, 1))
        let advertised = try FixedArray<AdvertisedRecord>(zeroed: heardHints.isEmpty ? 1 : capacity)
        self.heardHints = heardHints
        self.identities = identities
        self.searches = searches
        self.advertised = advertised
    }

    /// Whether the agent reads such identities from peers.
    public var readsSchemes: Bool { identities.count > 1 }

    // MARK: Forgetting

    /// Whether the slot has an identity from an advert, of its present peer or of an earlier one.
    func hasAdvertisedIdentity(_ slot: Int) -> Bool { !heardHints.isEmpty && advertised[slot].key != 0 }

    /// Overwrites the slot's identities that are not of the peer with this key.
    mutating func wipe(_ slot: Int, besides key: PeerKey) {
        if !heardHints.isEmpty, advertised[slot].key != key.rawValue { advertised.wipe(slot) }
        for place in places(of: slot) where identities[place].key != key.rawValue { identities.wipe(place) }
    }

    // MARK: Searches of a link

    func isSearchDue(_ slot: Int, _ key: PeerKey, now: Instant) -> Bool {
        guard readsSchemes else { return false }
        return searches[slot].key != key.rawValue || now >= searches[slot].next
    }

    /// Records that a link was searched for all enabled schemes. The next search is due soon after the end of
    /// an identity that was found.
    /// - Returns: when the next search is due.
    mutating func searchEnded(
        _ slot: Int, _ key: PeerKey, hasFound: Bool, before identityEnd: Instant, jitter: UInt64, now: Instant
    ) -> Instant {
        let pause =
            hasFound ? SchemeSearch.foundPause : Exchange.longestUnsupportedPeerPause
        let spread = Interval.milliseconds(jitter % SchemeSearch.endSpreadMilliseconds)
        let afterEnd = min(identityEnd, now + pause) + SchemeSearch.endPause + spread
        // Before that time another identity is refused.
        let next = min(now + pause, max(afterEnd, now + Exchange.changePause))
        claim(slot, key)
        searches[slot].next = next
        searches[slot].failures = 0
        return next
    }

    /// Records that the search failed this time, and sets the back-off.
    mutating func searchFailed(_ slot: Int, _ key: PeerKey, now: Instant, jitter: UInt64) {
        claim(slot, key)
        let failures = searches[slot].failures
        let pause = Backoff.pause(
            from: Exchange.shortestPause, through: Exchange.longestPause, failures: failures, jitter: jitter)
        searches[slot].next = now + pause
        searches[slot].failures = failures < .max ? failures + 1 : failures
    }

    /// Clears the slot's search if it is a former peer's.
    private mutating func claim(_ slot: Int, _ key: PeerKey) {
        guard searches[slot].key != key.rawValue else { return }
        searches[slot] = SchemeSearch(key: key.rawValue, next: .start, failures: 0)
    }

    // MARK: Refusals that will repeat

    /// Whether the peer has refused the request within the last day.
    func refuses(_ request: SchemeRequests, _ slot: Int, _ key: PeerKey, now: Instant) -> Bool {
        readsSchemes && searches[slot].key == key.rawValue && now < searches[slot].refusalEnd
            && searches[slot].refused.intersects(request)
    }

    mutating func markRefused(_ request: SchemeRequests, by slot: Int, _ key: PeerKey, now: Instant) {
        guard readsSchemes else { return }
        claim(slot, key)
        if now >= searches[slot].refusalEnd { searches[slot].refused = SchemeRequests() }
        searches[slot].refused.insert(request)
        searches[slot].refusalEnd = now + Exchange.refusalPause
    }

    // MARK: Identities given over links

    /// The places of a slot's identities; none if the agent reads none.
    func places(of slot: Int) -> Range<Int> {
        let first = slot * SchemeID.linkCount
        return readsSchemes ? first..<first + SchemeID.linkCount : 0..<0
    }

    /// Whether the peer with this key gave the identity at the place.
    func hasIdentity(at place: Int, of key: PeerKey) -> Bool {
        identities[place].key == key.rawValue && !identities[place].bytes.isEmpty
    }

    /// Judges an identity of at most 129 bytes. The ledger accepts another one once a minute at most, but one
    /// that was read replaces a written one immediately.
    func verdict(
        on bytes: Span<UInt8>, of scheme: SchemeID, marks: IdentityMarks, at place: Int, of key: PeerKey,
        now: Instant
    ) -> IdentityVerdict {
        guard hasIdentity(at: place, of: key) else { return .new }
        let isConfirmed = identities[place].marks.contains(.written) && !marks.contains(.written)
        if isConfirmed { return .new }
        let known = identities[place].bytes
        if scheme.isSame(known.span, bytes) { return .known }
        return now >= identities[place].nextChange ? .new : .tooSoon
    }

    mutating func store(
        _ bytes: FixedBuffer<129>, marks: IdentityMarks, at place: Int, of key: PeerKey, now: Instant
    ) {
        identities[place] = SchemeIdentity(
            key: key.rawValue, nextChange: now + Exchange.changePause, marks: marks, bytes: bytes)
    }

    /// The log's entry of the identity at a place, with its marks and those given. Out of line because it is
    /// rare and long.
    @inline(never)
    func entry(at place: Int, encounter: UInt32, instant: Instant, _ marks: IdentityMarks) -> LogEntry? {
        guard let scheme = SchemeID(linkIndex: place % SchemeID.linkCount) else { return nil }
        let bytes = identities[place].bytes
        return .encounterIdentified(
            EncounterIdentifiedEntry(
                encounter: encounter, instant: instant, scheme: SchemeCode(scheme),
                identity: FixedBuffer(bytes.span) ?? FixedBuffer(),
                marks: identities[place].marks.union(marks)))
    }

    // MARK: Identities in adverts

    /// Stores an identity that the peer's adverts carry. The ledger accepts another one of a peer once a
    /// minute at most.
    /// - Returns: what it has done with the identity.
    mutating func take(
        _ identity: AdvertisedIdentity, of slot: Int, _ key: PeerKey, now: Instant
    ) -> IdentityVerdict {
        if advertised[slot].key == key.rawValue {
            if advertised[slot].identity == identity { return .known }
            guard now >= advertised[slot].nextChange else { return .tooSoon }
        }
        advertised[slot] = AdvertisedRecord(
            key: key.rawValue, identity: identity, nextChange: now + Exchange.changePause)
        return .new
    }

    /// The identity that the peer's adverts carry, if there is one.
    func advertisedIdentity(of slot: Int, _ key: PeerKey) -> AdvertisedIdentity? {
        guard !heardHints.isEmpty, advertised[slot].key == key.rawValue else { return nil }
        return advertised[slot].identity
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

extension SchemeID {
    fileprivate func isSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        one.extracting(first: min(one.count, namingByteCount))
            .isEqual(to: other.extracting(first: min(other.count, namingByteCount)))
    }
}

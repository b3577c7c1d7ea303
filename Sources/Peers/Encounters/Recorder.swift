import EncounterLog
import FixedMemory
import HCI

/// Takes in all that is heard of peers, and hands entries to the log.
///
/// The parts keep the books: the peer table, the encounters, what was exchanged over links, and what was
/// written to peers. The recorder adds peers and removes them, and takes each event to the parts that it
/// concerns.
///
/// How a device is identified when its address changes: docs/peers.md.
public struct Recorder: ~Copyable {
    public package(set) var peers: PeerTable
    var encounters: EncounterTracker
    /// The identities and details that were read from peers.
    public package(set) var exchanges: ExchangeLedger
    /// The signals that were written to peers.
    public package(set) var writeBacks: WriteBackLedger
    /// The counters that the encounters do not keep themselves.
    var ownCounters = RecorderCounters()
    private var nextSweepSlot = 0
    /// The budget of RSSI readings that peers write: two a second of all peers together.
    private var claims = MessageBudget(burst: 60, interval: .milliseconds(500))
    /// The budget of written identities that contradict what was read: one a minute of all peers together.
    var contradictions = MessageBudget(burst: 10, interval: .minutes(1))
    /// Whether the caller must look for schemes other than Herald in the reports it has just taken; it
    /// resets this when it has. A search in every report would slow each of them down. So the caller
    /// searches when an address is heard for the first time, because most content changes with the address.
    /// Otherwise it searches about ten times a second.
    public var looksForSchemes = false

    /// `hashSeed` must be unpredictable.
    public init(settings: RecorderSettings, hashSeed: UInt64) throws(MemoryError) {
        let peers = try PeerTable(capacity: settings.peerCapacity, hashSeed: hashSeed)
        let encounters = try EncounterTracker(settings)
        let exchanges = try ExchangeLedger(
            capacity: settings.peerCapacity, heardHints: settings.heardHints)
        let writeBacks = try WriteBackLedger(capacity: settings.peerCapacity)
        self.peers = peers
        self.encounters = encounters
        self.exchanges = exchanges
        self.writeBacks = writeBacks
    }

    /// The recorder's counters since it started.
    @inline(__always)
    public var counters: RecorderCounters {
        var counters = ownCounters
        counters.dropped = encounters.queue.droppedCount
        counters.encounters = encounters.writtenCount
        counters.unlogged = encounters.unloggedCount
        return counters
    }

    /// The number of continuing encounters whose opened entry is in the log.
    public var openEncounterCount: UInt32 { encounters.openCount }

    // MARK: Reports

    /// Starts looking up the sender of a report by its address. Called before the advert is parsed, it
    /// costs no time, because the processor fetches the memory meanwhile (docs/bounds.md).
    @inline(__always)
    public func lookUp(_ address: DeviceAddress) -> PeerTable.Found { peers.lookUp(PeerKey(address)) }

    /// Records one report. `found` is the result of ``lookUp(_:)`` for its address. The report counts even
    /// if the table has no room for its sender.
    @inline(__always)
    public mutating func record(_ sighting: Sighting, of found: PeerTable.Found, now: Instant) {
        ownCounters.reports &+= 1
        if let interest = peers.record(sighting, of: found, now: now) {
            follow(sighting, of: found.slot, knownAs: interest, now: now)
        } else {
            var sighting = sighting
            recordRare(&sighting, from: PeerKey(sighting.address), now: now)
        }
    }

    /// Records one report of a device whose key is not its address.
    @inline(__always)
    public mutating func record(_ sighting: Sighting, from key: PeerKey, now: Instant) {
        ownCounters.reports &+= 1
        var sighting = sighting
        recordRare(&sighting, from: key, now: now)
    }

    /// Records a report of a new peer, or of one with a pseudo address. Out of line because these are few.
    /// The sighting is passed in memory, because registers would have to be prepared for every report.
    @inline(never)
    private mutating func recordRare(_ sighting: inout Sighting, from key: PeerKey, now: Instant) {
        let slot =
            key.isPseudoAddress
            ? settle(key, at: sighting.address, now: now)
            : add(key, at: sighting.address, isFollowed: sighting.interest != .ignored, now: now)
        if let slot { take(sighting, of: slot, now: now) }
        looksForSchemes = hearsSchemes
    }

    /// Counts a report that could not be parsed.
    public mutating func countMalformed() { ownCounters.malformed &+= 1 }

    /// The interval at which a peer's written RSSI is recorded. Herald's phones write one every 15 s.
    static var claimInterval: Interval { .seconds(10) }

    /// Records the RSSI that a peer wrote: how strongly it hears the board, as it says. Anybody can write
    /// any number, and under any address. So it never enters a sample, counts as no report, and prolongs no
    /// encounter that the board has measured. It only matters for a peer that is not heard, which then has
    /// a claimed encounter: the board has measured nothing of it, and the log says so.
    @inline(never)
    public mutating func recordReading(_ rssi: RSSI, writtenBy address: DeviceAddress, now: Instant) {
        guard let slot = findOrAdd(address, now: now),
            !encounters.isMeasured(slot, in: &peers, now: now)
        else { return }
        let track = peers.slots[slot].track
        guard !track.isClaimed || now >= track.last + Self.claimInterval, claims.take(now: now) else {
            return
        }
        peers.touchByLink(slot, now: now)
        promote(slot, to: .participant, now: now)
        if encounters.addClaim(rssi, of: slot, in: &peers, now: now) { writeIdentities(of: slot) }
    }

    /// Records an RSSI reading measured on a link to a participant. It continues the encounter and keeps
    /// the peer in the table. It proves nothing about the scan, so it counts neither as a report nor as
    /// hearing the peer. A link shows only the address, even of a peer that is known by a pseudo address.
    @inline(never)
    public mutating func recordReading(_ rssi: RSSI, onLinkTo address: DeviceAddress, now: Instant) {
        let sighting = Sighting(
            address: address, rssi: rssi, transmitPower: nil, interest: .participant, foundBy: .connectedToUs,
            isConnectable: false)
        guard let slot = findOrAdd(address, now: now) else { return }
        peers.touchByLink(slot, now: now)
        take(sighting, of: slot, now: now)
    }

    @inline(__always)
    mutating func take(_ sighting: Sighting, of slot: Int, now: Instant) {
        let interest = peers.slots[slot].take(sighting)
        follow(sighting, of: slot, knownAs: interest, now: now)
    }

    /// `interest`: the peer's interest before this sighting.
    @inline(__always)
    private mutating func follow(
        _ sighting: Sighting, of slot: Int, knownAs interest: PeerInterest, now: Instant
    ) {
        // Most peers are ignored, and remain so.
        if interest == .ignored, sighting.interest == .ignored { return }
        if sighting.interest > interest {
            peers.slots[slot].foundBy = sighting.foundBy
            promote(slot, to: sighting.interest, now: now)
        }
        guard let rssi = sighting.rssi else { return }
        if encounters.add(rssi, of: slot, in: &peers, now: now) { writeIdentities(of: slot) }
    }

    mutating func promote(_ slot: Int, to interest: PeerInterest, now: Instant) {
        peers.raiseInterest(of: slot, to: interest)
        if encounters.beginWriting(slot, in: &peers, now: now) { writeIdentities(of: slot) }
    }

    // MARK: Schemes whose adverts carry the identity

    /// The kinds of adverts, of schemes other than Herald, that the recorder evaluates.
    public var heardHints: PeerHintSet { exchanges.schemes.heardHints }

    var hearsSchemes: Bool { !heardHints.isEmpty }

    /// Whether an advert without any identification is connectable and strong enough to probe its sender,
    /// which may be one of CovidTracer's phones.
    public func isNearEnoughToProbe(_ sighting: Sighting) -> Bool {
        sighting.rssi.map { $0.dBm >= encounters.settings.probeFloorDBm } ?? false && sighting.isConnectable
    }

    // MARK: The peer table

    /// Ends full samples and silent encounters, forgets peers long unheard, and overwrites what they gave.
    /// Call it about ten times a second: each call checks a part of the table, so none takes long.
    public mutating func advance(now: Instant) {
        looksForSchemes = hearsSchemes
        let part = max(peers.capacity / Self.sweepParts, Self.smallestSweepPart)
        let end = min(nextSweepSlot + part, peers.firstUnused)
        for slot in min(nextSweepSlot, end)..<end where peers.slots[slot].standing != .ignored {
            sweep(slot, now: now)
        }
        nextSweepSlot = end < peers.firstUnused ? end : 0
        // Entries in the queue may still refer to the identities of peers that have left.
        if exchanges.forgottenCount > 0, encounters.queue.entries.isEmpty {
            exchanges.wipeForgotten(in: peers)
        }
    }

    private static var sweepParts: Int { 32 }
    private static var smallestSweepPart: Int { 128 }

    private mutating func sweep(_ slot: Int, now: Instant) {
        var isHeldAtEnd = false
        guard encounters.advance(slot, in: &peers, isHeldAtEnd: &isHeldAtEnd, now: now) else {
            if isHeldAtEnd { endHeld(slot, isSweeping: true, now: now) }
            return
        }
        // A tentative peer has nothing worth keeping, unless an attempt to read it failed.
        let isNew = peers.slots[slot].standing == .tentative && exchanges[slot].failures == 0
        let kept =
            isNew ? encounters.settings.encounterTimeout : encounters.settings.forget
        if now > peers.slots[slot].lastSeen + kept { remove(slot) }
    }

    /// Writes a held encounter that ends, with its identities, or counts and forgets it.
    @inline(never)
    private mutating func endHeld(_ slot: Int, isSweeping: Bool = false, now: Instant) {
        if encounters.endHeld(slot, in: &peers, now: now) { writeIdentities(of: slot) }
        if isSweeping, !encounters.isHeld(slot, in: &peers) { sweep(slot, now: now) }
    }

    /// Writes the samples of all open encounters, before the agent stops.
    /// - Returns: false if the queue had no room for all of it; take the entries, then call again.
    @inline(never)
    public mutating func flush() -> Bool {
        for slot in 0..<peers.firstUnused where encounters.isHeld(slot, in: &peers) {
            guard encounters.queue.hasRoom(for: encounters.samples.count(of: slot) + 4) else { return false }
            let last = peers.slots[slot].track.last
            endHeld(slot, now: last)
        }
        return encounters.flush(&peers)
    }

    /// Adds a new peer, evicting another if the table is full; nil if no peer may be evicted (see
    /// ``PeerTable``).
    @inline(never)
    mutating func add(_ key: PeerKey, at address: DeviceAddress, isFollowed: Bool, now: Instant) -> Int? {
        if peers.isFull {
            let candidate = peers.evictionCandidate(
                isFollowed: isFollowed, now: now, encounterTimeout: encounters.settings.encounterTimeout)
            guard let candidate else {
                ownCounters.turnedAway &+= 1
                return nil
            }
            ownCounters.evicted &+= 1
            if peers.slots[candidate].track.isOpen {
                if encounters.isHeld(candidate, in: &peers) { endHeld(candidate, now: now) }
                if peers.slots[candidate].track.isOpen { encounters.close(candidate, in: &peers, now: now) }
            }
            remove(candidate)
        }
        let slot = peers.insert(key, at: address)
        peers.touch(slot, now: now)
        return slot
    }

    /// Finds or adds the slot of a peer that a link shows; nil if the table has no room.
    mutating func findOrAdd(_ address: DeviceAddress, now: Instant) -> Int? {
        if let known = peers.find(address) { return known }
        let new = add(PeerKey(address), at: address, isFollowed: true, now: now)
        if let new {
            peers.slots[new].foundBy = .connectedToUs
            peers.slots[new].link = now
        }
        return new
    }

    mutating func remove(_ slot: Int) {
        exchanges.forget(slot, isIdentified: peers.slots[slot].isIdentified)
        peers.remove(slot)
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

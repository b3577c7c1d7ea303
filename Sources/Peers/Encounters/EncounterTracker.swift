import EncounterLog
import FixedMemory
import HCI

/// Turns the RSSI readings of each peer into encounters and samples, and these into entries for the log.
///
/// An encounter lasts from the first to the last RSSI reading of a peer that takes part. A closing link
/// never ends it; only the encounter timeout does. While a peer is just a candidate the tracker holds its
/// encounter back. If the candidate turns out to take part, the whole encounter goes to the log; otherwise
/// nothing does.
///
/// A peer's open encounter is its ``Track`` in the peer table, beside what each report reads anyway. The
/// caller lends the table, to be changed even by a method that only reads it: the optimiser of the board's
/// build would copy a table that it may only read.
struct EncounterTracker: ~Copyable {
    let settings: RecorderSettings
    var queue: EntryQueue
    /// Samples of candidates that wait until their peers are confirmed.
    var samples: PendingSamplePool<GatheredSample>
    var readings: ReadingsBuffer
    private var lastEncounter: UInt32 = 0
    /// The number of continuing encounters whose opened entry is in the log.
    var openCount: UInt32 = 0
    /// The number of encounters that were written to the log.
    var writtenCount: UInt32 = 0
    /// The number of encounters that ended without being written.
    var unloggedCount: UInt32 = 0
    var strangers: StrangerLimits

    init(_ settings: RecorderSettings) throws(MemoryError) {
        let queue = try EntryQueue(
            entryCapacity: settings.entryCapacity,
            packCapacity: settings.recordsReadings ? settings.readingsCapacity : 1)
        let samples = try PendingSamplePool<GatheredSample>(
            capacity: settings.waitingSampleCapacity, slotCount: settings.peerCapacity,
            longestList: settings.longestWaitingSamples)
        let readings = try ReadingsBuffer(settings)
        self.settings = settings
        strangers = settings.strangers
        self.queue = queue
        self.samples = samples
        self.readings = readings
    }

    // MARK: Readings

    /// Adds a reading to the peer's encounter.
    /// - Returns: whether an encounter's opened entry was written, which the peer's identities are to
    ///   follow.
    @inline(__always)
    mutating func add(_ rssi: RSSI, of slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        var hasOpened = false
        if peers.slots[slot].track.isTurning(at: now) {
            hasOpened = rollOver(slot, in: &peers, now: now)
        }
        peers.slots[slot].track.add(rssi, sentWith: peers.slots[slot].rawTransmitPower, at: now)
        return hasOpened
    }

    /// Ends and begins encounters and samples as a new reading requires, and confirms peers that have
    /// stayed. Out of line, because few reports need it.
    @inline(never)
    private mutating func rollOver(_ slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        var hasOpened = false
        // Readings now do not continue an encounter that was only claimed.
        if peers.slots[slot].track.isClaimed || hasEnded(slot, in: &peers, now: now) {
            if peers.slots[slot].track.isOpen { close(slot, in: &peers, now: now) }
            open(slot, in: &peers, now: now)
        } else if peers.slots[slot].track.isSampleFull(at: now, settings)
            || !peers.slots[slot].track.sample.isEmpty
                && peers.slots[slot].track.sample.powerDBm != peers.slots[slot].rawTransmitPower
        {
            // The peer may have stated another power since; each sample has one (HP-C28).
            endSample(of: slot, in: &peers, now: now)
            peers.slots[slot].track.continueSample(sentWith: peers.slots[slot].rawTransmitPower)
        }
        if !peers.slots[slot].track.isWritten { hasOpened = beginWriting(slot, in: &peers, now: now) }
        var proven: Instant?
        if peers.slots[slot].standing == .tentative {
            let instant = peers.slots[slot].track.first + settings.proving
            if now >= instant { peers.confirm(slot) } else { proven = instant }
        }
        peers.slots[slot].track.setTurn(at: now, proven: proven, settings)
        if settings.recordsReadings {
            keepReading(of: slot, in: &peers, now: now)
            // In raw mode every reading takes this path.
            peers.slots[slot].track.turnAtNextReading()
        }
        return hasOpened
    }

    /// Ends the peer's full sample, or its encounter after the encounter timeout. It does not end a held
    /// encounter, but sets `isHeldAtEnd`: call ``endHeld(_:in:now:)`` then.
    /// - Returns: whether the peer has no open encounter any more.
    @inline(__always)
    mutating func advance(
        _ slot: Int, in peers: inout PeerTable, isHeldAtEnd: inout Bool, now: Instant
    ) -> Bool {
        guard !hasEnded(slot, in: &peers, now: now) else {
            if peers.slots[slot].track.isOpen {
                guard !isHeld(slot, in: &peers) else {
                    isHeldAtEnd = true
                    return false
                }
                guard writeWaiting(of: slot, in: &peers), queue.hasRoom(for: entriesPerSample + 1) else {
                    return false
                }
                close(slot, in: &peers, now: now)
            }
            return true
        }
        if peers.slots[slot].track.isWritten,
            peers.slots[slot].track.isSampleFull(at: now, settings)
        {
            endSample(of: slot, in: &peers, now: now)
        }
        return false
    }

    /// Writes the samples of all open encounters, before the agent stops.
    /// - Returns: false if the queue had no room for all of it; take the entries, then call again.
    mutating func flush(_ peers: inout PeerTable) -> Bool {
        for slot in 0..<peers.firstUnused
        where peers.slots[slot].track.isWritten && !peers.slots[slot].track.sample.isEmpty {
            guard writeWaiting(of: slot, in: &peers), queue.hasRoom(for: entriesPerSample) else {
                return false
            }
            writeSample(of: slot, in: &peers)
        }
        return true
    }

    // MARK: Encounters

    /// Whether the encounter has timed out, or none is open.
    @inline(__always)
    private mutating func hasEnded(_ slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        peers.slots[slot].track.hasEnded(at: now, encounterTimeout: settings.encounterTimeout)
    }

    private mutating func open(
        _ slot: Int, in peers: inout PeerTable, isClaimed: Bool = false, now: Instant
    ) {
        lastEncounter &+= 1
        let foundBy = isClaimed ? .connectedToUs : peers.slots[slot].foundBy
        peers.slots[slot].track.open(lastEncounter, foundBy: foundBy, at: now)
        peers.slots[slot].track.isClaimed = isClaimed
    }

    /// Whether the board measures the peer: its encounter continues, and is not just claimed.
    mutating func isMeasured(_ slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        !peers.slots[slot].track.isClaimed && !hasEnded(slot, in: &peers, now: now)
    }

    /// Adds an RSSI that the peer wrote to its claimed encounter, or begins one. Not for a peer that the
    /// board measures.
    /// - Returns: whether an encounter's opened entry was written, which the peer's identities are to
    ///   follow.
    @inline(never)
    mutating func addClaim(_ rssi: RSSI, of slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        if hasEnded(slot, in: &peers, now: now) {
            if peers.slots[slot].track.isOpen { close(slot, in: &peers, now: now) }
            open(slot, in: &peers, isClaimed: true, now: now)
        }
        let hasOpened = beginWriting(slot, in: &peers, now: now)
        peers.slots[slot].track.last = now
        if peers.slots[slot].track.isWritten, pays(for: Self.claimByteCount, of: slot, in: &peers, now: now) {
            queue.push(
                .claim(encounter: peers.slots[slot].track.encounter, instant: now, rssiDBm: rssi.dBm))
        }
        return hasOpened
    }

    /// Ends the peer's encounter. If it is not written yet, it is written now as a whole, or counted.
    mutating func close(_ slot: Int, in peers: inout PeerTable, now: Instant) {
        if isHeld(slot, in: &peers), !admit(slot, in: &peers, now: now) { unloggedCount &+= 1 }
        if peers.slots[slot].track.isWritten {
            writeSample(of: slot, in: &peers)
            queue.push(.closed(peers.slots[slot].track))
            openCount &-= 1
        }
        forget(slot, in: &peers)
    }

    /// Forgets everything recorded of the peer's encounter.
    mutating func forget(_ slot: Int, in peers: inout PeerTable) {
        peers.slots[slot].track = Track()
        samples.removeAll(of: slot)
        dropReadings(of: slot)
    }

    /// Continues the encounter of a peer that is the same device under an earlier address.
    mutating func merge(_ earlier: Int, into slot: Int, in peers: inout PeerTable) {
        writeSample(of: earlier, in: &peers)
        let gathered = peers.slots[slot].track
        if gathered.isWritten { close(slot, in: &peers, now: gathered.last) }
        peers.slots[slot].track = peers.slots[earlier].track
        if !gathered.isWritten { peers.slots[slot].track.absorb(with: gathered) }
        peers.slots[slot].track.last = gathered.last
        peers.slots[slot].track.turnAtNextReading()
        peers.slots[earlier].track = Track()
    }

    /// The peer's encounter, if it continues and its opened entry is written.
    mutating func writtenEncounter(of slot: Int, in peers: inout PeerTable, now: Instant) -> UInt32? {
        guard peers.slots[slot].track.isWritten,
            !peers.slots[slot].track.hasEnded(at: now, encounterTimeout: settings.encounterTimeout)
        else { return nil }
        return peers.slots[slot].track.encounter
    }

    /// Writes the address under which the device of the open encounter was recognised again.
    mutating func writeAddress(of slot: Int, in peers: inout PeerTable, now: Instant) {
        queue.push(
            .details(
                encounter: peers.slots[slot].track.encounter, instant: now, .otherAddress,
                peers.address(of: slot)))
    }

    /// Writes the pseudo address of the open encounter's peer, if it has one.
    mutating func writePseudoAddress(of slot: Int, in peers: inout PeerTable, now: Instant) {
        let key = peers.slots[slot].key
        guard key.isPseudoAddress else { return }
        queue.push(
            .details(
                encounter: peers.slots[slot].track.encounter, instant: now, .pseudoAddress,
                DeviceAddress(value: key.rawValue, isRandom: false)))
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

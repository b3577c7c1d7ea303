import EncounterLog
import FixedMemory
import HCI
import Schemes

/// Turns sightings into encounters and samples, and these into entries for the log.
///
/// An encounter lasts from the first to the last RSSI reading of a peer that takes part. A closing link never
/// ends it; only the encounter timeout does. While a peer is just a candidate the recorder holds its
/// encounter back. If the candidate turns out to take part, the whole encounter goes to the log; otherwise
/// nothing does.
///
/// How a device is identified when its address changes: docs/peers.md.
public struct Recorder: ~Copyable {
    public internal(set) var peers: PeerTable
    var identities: FixedArray<FixedBuffer<512>>
    var entries: RingBuffer<PendingEntry>
    var readings: ReadingsBuffer
    /// Samples of candidates that wait until their peers are confirmed.
    var waiting: PendingSamplePool<GatheredSample>
    let settings: RecorderSettings
    private var lastEncounter: UInt32 = 0
    private var nextSweepSlot = 0
    /// The number of continuing encounters whose opened entry is in the log.
    public internal(set) var openEncounterCount: UInt32 = 0
    public internal(set) var counters = RecorderCounters()
    /// Bytes of messages, shared payloads, details and refused identities, in the order of their pending
    /// entries.
    var texts: RingBuffer<FixedBuffer<512>>
    var sharing: SharingBook
    var formerKeys = FormerKeys()
    /// The identities that adverts carry, by slot.
    var advertised: FixedArray<AdvertisedRecord>
    var schemeIdentities: FixedArray<SchemeIdentity>
    /// The progress of scheme searches, by slot.
    var schemeSearches: FixedArray<SchemeSearch>
    /// See ``looksForSchemes``.
    var isLookingForSchemes = false

    /// `hashSeed` must be unpredictable.
    public init(settings: RecorderSettings, hashSeed: UInt64) throws(MemoryError) {
        let peers = try PeerTable(capacity: settings.peerCapacity, hashSeed: hashSeed)
        // Untouched memory pages cost nothing, so identities take memory only as they arrive.
        let identities = try FixedArray<FixedBuffer<512>>(zeroed: settings.peerCapacity)
        let entries = try RingBuffer<PendingEntry>(
            capacity: settings.entryCapacity, filledWith: .closed(Track()))
        let readings = try ReadingsBuffer(settings)
        let waiting = try PendingSamplePool<GatheredSample>(
            capacity: settings.waitingSampleCapacity, slotCount: settings.peerCapacity,
            longestList: settings.longestWaitingSamples)
        let texts = try RingBuffer<FixedBuffer<512>>(
            capacity: Self.textCapacity, filledWith: FixedBuffer())
        let sharing = try SharingBook()
        let advertised = try FixedArray<AdvertisedRecord>(
            zeroed: settings.heardHints.isEmpty ? 1 : settings.peerCapacity)
        let schemePlaces = Self.asksSchemes(settings) ? settings.peerCapacity : 0
        let schemeIdentities = try FixedArray<SchemeIdentity>(
            zeroed: max(schemePlaces * SchemeID.linkCount, 1))
        let schemeSearches = try FixedArray<SchemeSearch>(zeroed: max(schemePlaces, 1))
        self.settings = settings
        self.peers = peers
        self.readings = readings
        self.waiting = waiting
        self.texts = texts
        self.sharing = sharing
        self.advertised = advertised
        self.schemeIdentities = schemeIdentities
        self.schemeSearches = schemeSearches
        self.identities = identities
        self.entries = entries
    }

    /// Records one report. The report counts even if the table has no room for its sender.
    @inline(__always)
    public mutating func note(_ sighting: Sighting, nowMilliseconds now: UInt64) {
        note(sighting, of: lookUp(sighting.address), nowMilliseconds: now)
    }

    /// Starts looking up the sender of a report by its address. Called before the advert is parsed, it costs
    /// no time, because the processor fetches the memory meanwhile (docs/bounds.md).
    @inline(__always)
    public func lookUp(_ address: DeviceAddress) -> PeerTable.Found { peers.lookUp(PeerKey(address)) }

    /// Records one report. `found` is the result of ``lookUp(_:)`` for its address.
    @inline(__always)
    public mutating func note(
        _ sighting: Sighting, of found: PeerTable.Found, nowMilliseconds now: UInt64
    ) {
        counters.reports &+= 1
        if let interest = peers.note(sighting, of: found, nowMilliseconds: now) {
            follow(sighting, of: found.slot, knownAs: interest, nowMilliseconds: now)
        } else {
            var sighting = sighting
            noteRare(&sighting, from: PeerKey(sighting.address), nowMilliseconds: now)
        }
    }

    /// Records one report of a device whose key is not its address.
    @inline(__always)
    public mutating func note(_ sighting: Sighting, from key: PeerKey, nowMilliseconds now: UInt64) {
        counters.reports &+= 1
        var sighting = sighting
        noteRare(&sighting, from: key, nowMilliseconds: now)
    }

    /// Records a report of a new peer, or of one with a pseudo address. Out of line because these are few.
    /// The sighting is passed in memory, because registers would have to be prepared for every report.
    @inline(never)
    private mutating func noteRare(
        _ sighting: inout Sighting, from key: PeerKey, nowMilliseconds now: UInt64
    ) {
        let slot =
            key.isPseudoAddress
            ? settle(key, at: sighting.address, nowMilliseconds: now)
            : add(
                key, at: sighting.address, isFollowed: sighting.interest != .ignored, nowMilliseconds: now)
        if let slot { take(sighting, of: slot, nowMilliseconds: now) }
        isLookingForSchemes = hearsSchemes
    }

    /// Records the RSSI that a peer wrote. It counts as our reading of that peer, and as a report.
    public mutating func noteReading(
        _ rssi: RSSI, writtenBy address: DeviceAddress, nowMilliseconds now: UInt64
    ) {
        counters.reports &+= 1
        noteReading(rssi, onLinkTo: address, nowMilliseconds: now)
    }

    /// Records an RSSI reading measured on a link to a participant. It continues the encounter and keeps the
    /// peer in the table. It proves nothing about the scan, so it counts neither as a report nor as hearing
    /// the peer. A link shows only the address, even of a peer that is known by a pseudo address.
    @inline(never)
    public mutating func noteReading(
        _ rssi: RSSI, onLinkTo address: DeviceAddress, nowMilliseconds now: UInt64
    ) {
        let sighting = Sighting(
            address: address, rssi: rssi, transmitPower: nil, interest: .participant, foundBy: .connectedToUs,
            isConnectable: false)
        guard let slot = slotToName(address, nowMilliseconds: now) else { return }
        peers.touchByLink(slot, nowMilliseconds: now)
        take(sighting, of: slot, nowMilliseconds: now)
    }

    @inline(__always)
    mutating func take(_ sighting: Sighting, of slot: Int, nowMilliseconds now: UInt64) {
        let interest = peers.slots[slot].note(sighting)
        follow(sighting, of: slot, knownAs: interest, nowMilliseconds: now)
    }

    /// `interest`: the peer's interest before this sighting.
    @inline(__always)
    private mutating func follow(
        _ sighting: Sighting, of slot: Int, knownAs interest: PeerInterest, nowMilliseconds now: UInt64
    ) {
        // Most peers are ignored, and remain so.
        if interest == .ignored, sighting.interest == .ignored { return }
        if sighting.interest > interest {
            peers.slots[slot].foundBy = sighting.foundBy
            promote(slot, to: sighting.interest)
        }
        if let rssi = sighting.rssi { record(rssi, of: slot, nowMilliseconds: now) }
    }

    /// Counts a report that could not be parsed.
    public mutating func noteMalformed() { counters.malformed &+= 1 }

    /// Records the identity that a peer gave. A peer that does not advertise enters the table now; without an
    /// RSSI reading it has no encounter yet. The recorder accepts another identity once a minute, so that no
    /// peer can fill the log. The peer will give a refused one again.
    public mutating func identify(
        _ address: DeviceAddress, identity: FixedBuffer<512>, nowMilliseconds now: UInt64
    ) {
        guard let slot = slotToName(address, nowMilliseconds: now) else { return }
        if peers.slots[slot].exchange.progress == .done {
            if identities[slot] == identity { return }
            guard now >= peers.slots[slot].exchange.nextAttemptMilliseconds else {
                counters.refusedIdentities &+= 1
                return
            }
        }
        setIdentity(identity, at: slot)
        let earlier = findEarlier(slot)
        if let earlier, !peers.slots[slot].track.isWritten {
            // Nothing of this encounter is in the log yet, so all of it continues the earlier address'
            // encounter.
            peers.slots[slot].exchange.succeed(nowMilliseconds: now)
            merge(earlier, into: slot, nowMilliseconds: now)
            return
        }
        promote(slot, to: .participant)
        peers.establish(slot)
        peers.slots[slot].exchange.succeed(nowMilliseconds: now)
        let track = peers.slots[slot].track
        if track.isOpen {
            push(.identified(slot: slot, encounter: track.encounter, milliseconds: now))
        }
        if let earlier { merge(earlier, into: slot, nowMilliseconds: now) }
    }

    /// Finds or adds the slot of a peer that gives its identity; nil if the table has no room.
    mutating func slotToName(_ address: DeviceAddress, nowMilliseconds now: UInt64) -> Int? {
        if let known = peers.find(address) { return known }
        let new = add(PeerKey(address), at: address, isFollowed: true, nowMilliseconds: now)
        if let new {
            peers.slots[new].foundBy = .connectedToUs
            peers.slots[new].linkMilliseconds = now
        }
        return new
    }

    /// Ends full samples and silent encounters, and forgets peers long unheard. Call it about ten times a
    /// second: each call checks a part of the table, so none takes long.
    public mutating func advance(nowMilliseconds now: UInt64) {
        isLookingForSchemes = hearsSchemes
        let part = max(peers.capacity / Self.sweepParts, Self.smallestSweepPart)
        let end = min(nextSweepSlot + part, peers.firstUnused)
        for slot in min(nextSweepSlot, end)..<end where peers.slots[slot].standing != .ignored {
            sweep(slot, nowMilliseconds: now)
        }
        nextSweepSlot = end < peers.firstUnused ? end : 0
    }

    private static var sweepParts: Int { 32 }
    private static var smallestSweepPart: Int { 128 }

    private mutating func sweep(_ slot: Int, nowMilliseconds now: UInt64) {
        if peers.slots[slot].track.hasEnded(atMilliseconds: now, gapMilliseconds: settings.gapMilliseconds) {
            if peers.slots[slot].track.isOpen {
                guard writeWaiting(of: slot), hasRoom(for: entriesPerSample + 1) else { return }
                close(slot)
            }
            // A tentative peer has nothing worth keeping, unless an attempt to read it failed.
            let isNew =
                peers.slots[slot].standing == .tentative && peers.slots[slot].exchange.failures == 0
            let keptMilliseconds = isNew ? settings.gapMilliseconds : settings.forgetMilliseconds
            if now > peers.slots[slot].lastSeenMilliseconds + keptMilliseconds { peers.remove(slot) }
        } else if peers.slots[slot].track.isWritten,
            peers.slots[slot].track.isSampleFull(atMilliseconds: now, settings)
        {
            endSample(of: slot)
        }
    }

    /// Writes the samples of all open encounters, before the agent stops.
    /// - Returns: false if the queue had no room for all of it; take the entries, then call again.
    public mutating func flush() -> Bool {
        for slot in 0..<peers.firstUnused
        where peers.slots[slot].track.isWritten && !peers.slots[slot].track.sample.isEmpty {
            guard writeWaiting(of: slot), hasRoom(for: entriesPerSample) else { return false }
            writeSample(of: slot)
        }
        return true
    }

    // MARK: -

    /// Adds a new peer, evicting another if the table is full; nil if no peer may be evicted (see
    /// ``PeerTable``).
    @inline(never)
    mutating func add(
        _ key: PeerKey, at address: DeviceAddress, isFollowed: Bool, nowMilliseconds now: UInt64
    ) -> Int? {
        if peers.isFull {
            let candidate = peers.evictionCandidate(
                isFollowed: isFollowed, nowMilliseconds: now, gapMilliseconds: settings.gapMilliseconds)
            guard let candidate else {
                counters.turnedAway &+= 1
                return nil
            }
            counters.evicted &+= 1
            if peers.slots[candidate].track.isOpen { close(candidate) }
            peers.remove(candidate)
        }
        let slot = peers.insert(key, at: address)
        peers.touch(slot, nowMilliseconds: now)
        return slot
    }

    private mutating func setIdentity(_ identity: FixedBuffer<512>, at slot: Int) {
        dropWaiting(slot: slot)
        identities[slot] = identity
        peers.slots[slot].exchange.identityDigest = Self.digest(identity)
    }

    /// Drops and counts the waiting entries that refer to a stored identity that is about to be replaced.
    /// They refer to it by slot, or by index for a scheme, and it stays there even after the peer is
    /// forgotten.
    mutating func dropWaiting(slot: Int = -1, place: Int = -1) {
        var remaining = entries.count
        while remaining > 0, let entry = entries.pop() {
            remaining -= 1
            switch entry {
            case .identified(slot, _, _), .named(place, _, _): counters.dropped &+= 1
            default: try? entries.push(entry)
            }
        }
    }

    mutating func promote(_ slot: Int, to interest: PeerInterest) {
        peers.raiseInterest(of: slot, to: interest)
        if interest >= .advertiser, peers.slots[slot].track.isOpen, !peers.slots[slot].track.isWritten {
            writeHeader(of: slot)
        }
    }

    @inline(__always)
    private mutating func record(_ rssi: RSSI, of slot: Int, nowMilliseconds now: UInt64) {
        if peers.slots[slot].track.isTurning(atMilliseconds: now) {
            rollOver(slot, nowMilliseconds: now)
        }
        peers.slots[slot].track.add(
            rssi, sentWith: peers.slots[slot].rawTransmitPower, atMilliseconds: now)
    }

    /// Ends and begins encounters and samples as a new reading requires, and confirms peers that have stayed.
    /// Out of line, because few reports need it.
    @inline(never)
    private mutating func rollOver(_ slot: Int, nowMilliseconds now: UInt64) {
        let track = peers.slots[slot].track
        if track.hasEnded(atMilliseconds: now, gapMilliseconds: settings.gapMilliseconds) {
            if track.isOpen { close(slot) }
            open(slot, nowMilliseconds: now)
        } else if track.isSampleFull(atMilliseconds: now, settings)
            || !track.sample.isEmpty && track.sample.powerDBm != peers.slots[slot].rawTransmitPower
        {
            // The peer may have stated another power since; each sample has one (HP-C28).
            endSample(of: slot)
            peers.slots[slot].track.continueSample(sentWith: peers.slots[slot].rawTransmitPower)
        }
        let proven = peers.slots[slot].track.firstMilliseconds + settings.provingMilliseconds
        if now >= proven { peers.establish(slot) }
        let isNew = peers.slots[slot].standing == .tentative
        peers.slots[slot].track.setTurn(
            atMilliseconds: now, provenMilliseconds: isNew ? proven : nil, settings)
        if settings.recordsReadings {
            keepReading(of: slot, nowMilliseconds: now)
            // In raw mode every reading takes this path.
            peers.slots[slot].track.turnAtNextReading()
        }
    }

    private mutating func open(_ slot: Int, nowMilliseconds now: UInt64) {
        lastEncounter &+= 1
        let foundBy = peers.slots[slot].foundBy
        peers.slots[slot].track.open(lastEncounter, foundBy: foundBy, atMilliseconds: now)
        if peers.slots[slot].interest >= .advertiser { writeHeader(of: slot) }
    }

    private mutating func writeHeader(of slot: Int) {
        peers.slots[slot].track.isWritten = true
        peers.slots[slot].track.turnAtNextReading()
        counters.encounters &+= 1
        openEncounterCount &+= 1
        let track = peers.slots[slot].track
        push(.opened(peers.address(of: slot), track))
        writePseudoAddress(of: slot, nowMilliseconds: track.firstMilliseconds)
        if peers.slots[slot].exchange.progress == .done {
            push(.identified(slot: slot, encounter: track.encounter, milliseconds: track.firstMilliseconds))
        }
        writeAdvertised(by: slot, nowMilliseconds: track.firstMilliseconds)
        writeSchemes(of: slot, nowMilliseconds: track.firstMilliseconds)
    }

    mutating func close(_ slot: Int) {
        if peers.slots[slot].track.isWritten {
            writeSample(of: slot)
            push(.closed(peers.slots[slot].track))
            openEncounterCount &-= 1
        }
        forgetTrack(of: slot)
    }

    func hasRoom(for count: Int) -> Bool { entries.capacity - entries.count >= count }

    mutating func push(_ entry: PendingEntry) {
        do throws(CapacityError) { try entries.push(entry) } catch { counters.dropped &+= 1 }
    }

    // One function ends the recorder, instead of a copy at each call site, because that keeps the image
    // small.
    @inline(never)
    deinit {}
}

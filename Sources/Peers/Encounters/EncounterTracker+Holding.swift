import EncounterLog
import FixedMemory

/// The part of encounters without identity that goes to the log. Anybody can send adverts from any number
/// of addresses. So an encounter is held back until its peer gives its identity or stays, and an allowance
/// limits what all peers without identity write together. The rules: docs/crowds.md.
extension EncounterTracker {
    /// The bytes of opened entry, pseudo address and closed entry, at most.
    private static var frameByteCount: Int { 60 }
    /// The bytes of a sample's entry, at most; in raw mode with those of its readings.
    private var sampleByteCount: Int { settings.recordsReadings ? 24 + Self.packByteCount : 24 }
    /// The bytes of a full pack of readings, at most.
    static var packByteCount: Int { 180 }

    /// Whether the peer takes part, and its open encounter is not in the log.
    mutating func isHeld(_ slot: Int, in peers: inout PeerTable) -> Bool {
        peers.slots[slot].interest >= .advertiser && peers.slots[slot].track.isOpen
            && !peers.slots[slot].track.isWritten
    }

    /// Writes the opened entry of a held encounter if the peer has given its identity, or if the encounter
    /// has lasted and the allowance suffices.
    /// - Returns: whether it wrote the entry. If so, write the peer's identities next.
    @inline(never)
    mutating func beginWriting(_ slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        guard isHeld(slot, in: &peers) else { return false }
        guard peers.slots[slot].isIdentified || now >= peers.slots[slot].track.first + settings.strangers.hold
        else {
            return false
        }
        return admit(slot, in: &peers, hasLasted: true, now: now)
    }

    /// Writes the opened entry of a held encounter that is about to end, or to which another entry refers,
    /// if the allowance suffices. The allowance then has paid for all that waits, the current sample, and
    /// the closed entry.
    /// - Returns: whether it wrote the entry. If so, write the peer's identities next.
    @inline(never)
    mutating func admit(_ slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        guard isHeld(slot, in: &peers) else { return false }
        let track = peers.slots[slot].track
        return admit(
            slot, in: &peers, hasLasted: track.last >= track.first + settings.strangers.hold, now: now)
    }

    private mutating func admit(
        _ slot: Int, in peers: inout PeerTable, hasLasted: Bool, now: Instant
    ) -> Bool {
        if !peers.slots[slot].isIdentified {
            // A flood must not fill the queue, which identified peers need.
            guard queue.hasRoom(for: queue.entries.capacity / 4 + samples.count(of: slot)) else {
                return false
            }
            let byteCount =
                Self.frameByteCount + sampleByteCount * (samples.count(of: slot) + 1)
                + (settings.recordsReadings ? Self.packByteCount * readings.kept.count(of: slot) : 0)
            guard
                hasLasted
                    ? strangers.lasting.take(byteCount, now: now)
                    : strangers.fleeting.take(byteCount, now: now)
            else { return false }
        }
        write(slot, in: &peers)
        return true
    }

    private mutating func write(_ slot: Int, in peers: inout PeerTable) {
        peers.slots[slot].track.isWritten = true
        peers.slots[slot].track.turnAtNextReading()
        writtenCount &+= 1
        openCount &+= 1
        queue.push(.opened(peers.address(of: slot), peers.slots[slot].track))
        writePseudoAddress(of: slot, in: &peers, now: peers.slots[slot].track.first)
    }

    /// Whether the peer's current sample may end. The next one of a peer without identity takes from the
    /// allowance. Until that is possible the sample continues.
    mutating func paysForNextSample(of slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        peers.slots[slot].isIdentified || strangers.lasting.take(sampleByteCount, now: now)
    }

    /// Takes the bytes of another entry of a peer without identity from the allowance.
    /// - Returns: whether they may be written.
    mutating func pays(for byteCount: Int, of slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        peers.slots[slot].isIdentified || strangers.lasting.take(byteCount, now: now)
    }

    /// Writes a held encounter that ends, or counts and forgets it.
    /// - Returns: whether it wrote the opened entry. If so, write the peer's identities next, then the rest.
    @inline(never)
    mutating func endHeld(_ slot: Int, in peers: inout PeerTable, now: Instant) -> Bool {
        if admit(slot, in: &peers, now: now) { return true }
        close(slot, in: &peers, now: now)
        return false
    }

    /// Takes the bytes of a text that a peer causes, with its entry, from the allowance of peers without
    /// identity, unless it has given its own.
    /// - Parameter slot: nil for a peer that is not in the table.
    /// - Returns: whether the entry may be written.
    mutating func paysForText(of byteCount: Int, from slot: Int?, in peers: inout PeerTable, now: Instant)
        -> Bool
    {
        if let slot, peers.slots[slot].isIdentified { return true }
        return strangers.fleeting.take(byteCount + Self.textFrameByteCount, now: now)
    }

    /// Does the same for an entry that has a limit of its own, and so is written in any case.
    mutating func chargeText(of byteCount: Int, from slot: Int?, in peers: inout PeerTable, now: Instant) {
        if let slot, peers.slots[slot].isIdentified { return }
        strangers.fleeting.charge(byteCount + Self.textFrameByteCount, now: now)
    }

    /// The bytes of an entry beside its text, at most.
    private static var textFrameByteCount: Int { 20 }
    /// The bytes of an identity that an advert carries, with its entry, at most.
    static var advertisedByteCount: Int { 48 }
    /// The bytes of the entry of an RSSI reading that a peer wrote, at most.
    static var claimByteCount: Int { 24 }
}

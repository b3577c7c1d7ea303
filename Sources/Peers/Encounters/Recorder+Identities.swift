import EncounterLog
import FixedMemory
import HCI
import Schemes

/// The identities of peers, in Herald and in other schemes.
extension Recorder {
    /// Records the Herald identity that a peer gave. A peer that does not advertise enters the table now;
    /// without an RSSI reading it has no encounter yet.
    ///
    /// `isWritten`: the peer wrote it without a request. Anybody can do that in another's name. So a written
    /// identity never replaces one that was read, joins no peers, and does not stop the agent from reading.
    public mutating func identify(
        _ address: DeviceAddress, identity: FixedBuffer<512>, isWritten: Bool = false, now: Instant
    ) {
        guard let slot = findOrAdd(address, now: now) else { return }
        switch exchanges.verdict(on: identity, of: slot, isWritten: isWritten, now: now) {
        case .known:
            if !isWritten { exchanges.confirm(slot, now: now) }
            return
        case .contradiction: return recordContradiction(identity, of: slot, now: now)
        case let verdict: guard accepts(verdict) else { return }
        }
        encounters.queue.dropReferring(toSlot: slot)
        exchanges.store(identity, of: slot)
        let earlier =
            isWritten
            ? nil
            : exchanges.predecessor(
                of: slot, in: peers, encounterTimeout: encounters.settings.encounterTimeout)
        peers.slots[slot].isIdentified = true
        if let earlier, !peers.slots[slot].track.isWritten {
            // Nothing of this encounter is in the log yet, so all of it continues the earlier address'
            // encounter.
            exchanges.succeed(slot, now: now)
            merge(earlier, into: slot, now: now)
            return
        }
        encounters.queue.isUrgent = true
        promote(slot, to: .participant, now: now)
        peers.confirm(slot)
        if isWritten { exchanges.acceptWritten(slot, now: now) } else { exchanges.succeed(slot, now: now) }
        let track = peers.slots[slot].track
        if track.isOpen {
            encounters.queue.push(
                .identified(
                    slot: slot, encounter: track.encounter, instant: now, isWritten ? .written : .none))
        }
        if let earlier { merge(earlier, into: slot, now: now) }
    }

    /// Logs a written identity that differs from the one that was read, if the budgets allow it.
    @inline(never)
    private mutating func recordContradiction(
        _ identity: FixedBuffer<512>, of slot: Int, now: Instant
    ) {
        let track = peers.slots[slot].track
        guard track.isWritten, exchanges.allowsContradiction(by: identity, of: slot, now: now),
            contradictions.take(now: now)
        else {
            ownCounters.refusedIdentities &+= 1
            return
        }
        exchanges.markContradicted(slot, by: identity, now: now)
        encounters.queue.push(.contradiction(encounter: track.encounter, instant: now), saying: identity)
    }

    /// Records the identity that a peer gave in a scheme, either read by us or written to us. Without an
    /// RSSI reading it has no encounter yet. At most 129 bytes of it are kept.
    public mutating func identify(
        _ address: DeviceAddress, as identity: Span<UInt8>, of scheme: SchemeID,
        marks: IdentityMarks = .none, now: Instant
    ) {
        guard let index = scheme.linkIndex, let hint = scheme.hint, heardHints.contains(hint),
            !identity.isEmpty,
            let bytes = FixedBuffer<129>(identity.extracting(first: min(identity.count, 129))),
            let slot = findOrAdd(address, now: now)
        else { return }
        let place = exchanges.schemes.places(of: slot).lowerBound + index
        let key = peers.slots[slot].key
        let verdict = exchanges.schemes.verdict(
            on: bytes.span, of: scheme, marks: marks, at: place, of: key, now: now)
        guard accepts(verdict) else { return }
        peers.slots[slot].isIdentified = true
        encounters.queue.isUrgent = true
        promote(slot, to: .participant, now: now)
        peers.confirm(slot)
        encounters.queue.dropReferring(place: place)
        exchanges.schemes.store(bytes, marks: marks, at: place, of: key, now: now)
        let track = peers.slots[slot].track
        if track.isOpen {
            encounters.queue.push(
                .named(place: place, encounter: track.encounter, instant: now, .none))
        }
    }

    /// Records that a report, already recorded as Herald sees it, belongs to another scheme and perhaps
    /// names its sender. Phones change their address and this identity together, every ten minutes or more.
    public mutating func record(_ sighting: Sighting, naming identity: AdvertisedIdentity?, now: Instant) {
        let key = PeerKey(sighting.address)
        guard
            let slot = peers.find(key)
                ?? add(key, at: sighting.address, isFollowed: true, now: now)
        else { return }
        // The recorder has not yet recorded the RSSI reading of a peer that it ignored so far.
        let interest = peers.slots[slot].interest
        if interest == .ignored {
            take(sighting, of: slot, now: now)
        } else if sighting.interest > interest {
            peers.slots[slot].foundBy = sighting.foundBy
            promote(slot, to: sighting.interest, now: now)
        }
        guard let identity,
            accepts(exchanges.schemes.take(identity, of: slot, key, now: now))
        else { return }
        let track = peers.slots[slot].track
        guard track.isWritten else { return }
        guard encounters.pays(for: EncounterTracker.advertisedByteCount, of: slot, in: &peers, now: now)
        else {
            return encounters.queue.addDropped(1)
        }
        encounters.queue.push(
            .advertised(encounter: track.encounter, instant: now, identity))
    }

    /// Records an invalid identity as it is, up to 512 bytes. It identifies no device.
    @inline(never)
    public mutating func refuse(
        _ identity: Span<UInt8>, of scheme: SchemeID, from address: DeviceAddress,
        because reason: IdentityRefusal, marks: IdentityMarks = .none, now: Instant
    ) {
        ownCounters.refusedIdentities &+= 1
        // The sender speaks the scheme, even though its identity is unknown.
        if let slot = peers.find(address) { promote(slot, to: .participant, now: now) }
        guard encounters.paysForText(of: identity.count, from: peers.find(address), in: &peers, now: now),
            let bytes = FixedBuffer<512>(identity.extracting(first: min(identity.count, 512)))
        else { return }
        encounters.queue.push(
            .refused(
                encounter: writtenEncounter(with: address, now: now) ?? 0, instant: now,
                scheme, reason, marks), saying: bytes)
    }

    /// Records that the peer offers none of our services. The recorder ignores a candidate from then on,
    /// and keeps nothing of it. `isOurs`: the agent opened the link that showed it. See
    /// ``ExchangeLedger/fail(with:in:isOurs:now:jitter:)``.
    public mutating func markUnsupported(
        _ address: DeviceAddress, isOurs: Bool = true, now: Instant, jitter: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        exchanges.markUnsupported(slot, isOurs: isOurs, now: now, jitter: jitter)
        if isOurs, peers.slots[slot].interest == .candidate {
            encounters.forget(slot, in: &peers)
            peers.dropInterest(in: slot)
        }
    }

    /// Whether to store an identity. Counts one that came too soon.
    private mutating func accepts(_ verdict: IdentityVerdict) -> Bool {
        if verdict == .tooSoon { ownCounters.refusedIdentities &+= 1 }
        return verdict == .new
    }

    /// Writes what the peer of a written encounter has given so far. In a claimed encounter nothing proves
    /// that the device which was read before is there again, so its identities count as written.
    @inline(never)
    mutating func writeIdentities(of slot: Int) {
        guard peers.slots[slot].isIdentified || hearsSchemes else { return }
        let track = peers.slots[slot].track
        let (encounter, first) = (track.encounter, track.first)
        let marks = track.isClaimed ? IdentityMarks.written : .none
        if exchanges[slot].hasIdentity {
            encounters.queue.push(
                .identified(
                    slot: slot, encounter: encounter, instant: first,
                    exchanges[slot].hasWritten ? .written : marks))
        }
        let key = peers.slots[slot].key
        if !track.isClaimed, let identity = exchanges.schemes.advertisedIdentity(of: slot, key) {
            encounters.queue.push(.advertised(encounter: encounter, instant: first, identity))
        }
        for place in exchanges.schemes.places(of: slot)
        where exchanges.schemes.hasIdentity(at: place, of: key) {
            encounters.queue.push(.named(place: place, encounter: encounter, instant: first, marks))
        }
    }
}

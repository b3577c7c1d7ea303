import EncounterLog
import FixedMemory
import HCI

/// Schemes whose adverts carry the identity.
extension Recorder {
    /// Whether the recorder evaluates adverts of that kind.
    public func hears(_ hint: PeerHint) -> Bool { settings.heardHints.contains(hint) }

    public var heardHints: PeerHintSet { settings.heardHints }

    /// Whether an advert without any identification is connectable and strong enough to probe its sender,
    /// which may be one of CovidTracer's phones.
    public func isNearEnoughToProbe(_ sighting: Sighting) -> Bool {
        sighting.rssi.map { $0.dBm >= settings.probeFloorDBm } ?? false && sighting.isConnectable
    }

    var hearsSchemes: Bool { !settings.heardHints.isEmpty }

    /// Whether the caller must look for schemes other than Herald in the reports it has just taken. A search
    /// in every report would slow each of them down. So the caller searches when an address is heard for the
    /// first time, because most content changes with the address. Otherwise it searches about ten times a
    /// second.
    @inline(__always)
    public var looksForSchemes: Bool { isLookingForSchemes }

    /// Notes that the caller has searched the reports.
    public mutating func noteSchemesLookedFor() { isLookingForSchemes = false }

    /// Records that a report, already recorded as Herald sees it, belongs to another scheme and perhaps names
    /// its sender. The recorder accepts another identity of one address once a minute at most. Phones change
    /// both together, every ten minutes or more.
    public mutating func note(
        _ sighting: Sighting, naming identity: AdvertisedIdentity?, nowMilliseconds now: UInt64
    ) {
        let key = PeerKey(sighting.address)
        guard
            let slot = peers.find(key)
                ?? add(key, at: sighting.address, isFollowed: true, nowMilliseconds: now)
        else { return }
        // The recorder has not yet recorded the RSSI reading of a peer that it ignored so far.
        let interest = peers.slots[slot].interest
        if interest == .ignored {
            take(sighting, of: slot, nowMilliseconds: now)
        } else if sighting.interest > interest {
            peers.slots[slot].foundBy = sighting.foundBy
            promote(slot, to: sighting.interest)
        }
        guard let identity else { return }
        if advertised[slot].key == key.rawValue {
            if advertised[slot].identity == identity { return }
            guard now >= advertised[slot].nextChangeMilliseconds else {
                counters.refusedIdentities &+= 1
                return
            }
        }
        advertised[slot] = AdvertisedRecord(
            key: key.rawValue, identity: identity,
            nextChangeMilliseconds: now + Exchange.changePauseMilliseconds)
        if peers.slots[slot].track.isWritten { writeAdvertised(by: slot, nowMilliseconds: now) }
    }

    /// Writes the identity that the adverts of the open encounter's peer carry, if there is one.
    mutating func writeAdvertised(by slot: Int, nowMilliseconds now: UInt64) {
        guard hearsSchemes, advertised[slot].key == peers.slots[slot].key.rawValue else {
            return
        }
        push(
            .advertised(
                encounter: peers.slots[slot].track.encounter, milliseconds: now, advertised[slot].identity))
    }
}

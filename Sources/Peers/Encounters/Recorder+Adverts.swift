import EncounterLog
import FixedMemory
import HCI

/// Schemes whose adverts carry the identity.
extension Recorder {
    /// Whether adverts of that kind are taken note of.
    public func hears(_ hint: PeerHint) -> Bool { settings.heardHints.contains(hint) }

    public var heardHints: PeerHintSet { settings.heardHints }

    /// Whether an advert that says nothing is near enough for its sender to be worth a look (CovidTracer's phones).
    public func isNearEnoughToProbe(_ sighting: Sighting) -> Bool {
        sighting.rssi.map { $0.dBm >= settings.probeFloorDBm } ?? false && sighting.isConnectable
    }

    var hearsSchemes: Bool { !settings.heardHints.isEmpty }

    /// Whether the reports just taken are to be looked through for what schemes other than Herald have to say. To do so with
    /// every report would cost each of them. So it is done when an address is heard for the first time, which is when most
    /// that they say changes, and ten times a second or so besides.
    @inline(__always)
    public var looksForSchemes: Bool { isLookingForSchemes }

    /// It has been done.
    public mutating func noteSchemesLookedFor() { isLookingForSchemes = false }

    /// A report that has been noted as what it is to Herald turns out to be of another scheme, and perhaps names its sender.
    /// One address has one such identity at a time, and another one once a minute at most: phones change both together,
    /// every ten minutes or more.
    public mutating func note(
        _ sighting: Sighting, naming identity: AdvertisedIdentity?, nowMilliseconds now: UInt64
    ) {
        let key = PeerKey(sighting.address)
        guard
            let slot = peers.find(key)
                ?? add(key, at: sighting.address, isFollowed: true, nowMilliseconds: now)
        else { return }
        // Of somebody who was of no interest so far, the reading has not been recorded yet.
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

    /// Says who the open encounter is with, if its adverts have said so.
    mutating func writeAdvertised(by slot: Int, nowMilliseconds now: UInt64) {
        guard hearsSchemes, advertised[slot].key == peers.slots[slot].key.rawValue else {
            return
        }
        push(
            .advertised(
                encounter: peers.slots[slot].track.encounter, milliseconds: now, advertised[slot].identity))
    }
}

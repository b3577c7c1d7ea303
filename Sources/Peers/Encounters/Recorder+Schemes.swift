import EncounterLog
import FixedMemory
import HCI
import Schemes

/// A peer's identity in a scheme other than Herald. The recorder has three for each slot, and none if the
/// configuration enables no such scheme.
struct SchemeIdentity: BitwiseCopyable {
    /// The key of the peer that this belongs to.
    var key: UInt64
    /// The recorder accepts another identity from this time on.
    var nextChangeMilliseconds: UInt64
    var marks: IdentityMarks
    /// Empty if there is none.
    var bytes: FixedBuffer<129>
}

/// The progress of the search for such schemes on a peer.
struct SchemeSearch: BitwiseCopyable {
    /// The key of the peer that this belongs to.
    var key: UInt64
    /// The time from which the agent searches again.
    var nextMilliseconds: UInt64
    var failures: UInt8

    /// Re-read after 15 minutes: CovidTracer identifiers expire hourly.
    static var foundPauseMilliseconds: UInt64 { 900_000 }
}

/// Schemes whose identities the agent reads over links, or peers write to it.
extension Recorder {
    static func asksSchemes(_ settings: RecorderSettings) -> Bool {
        settings.heardHints.contains(.sonar) || settings.heardHints.contains(.covidTracer)
            || settings.heardHints.contains(.bleProximity)
    }

    /// Whether the agent reads such identities from peers.
    public var asksSchemes: Bool { schemeIdentities.count > 1 }

    /// Whether the agent should search this peer for schemes beside Herald now.
    public func needsSchemes(of address: DeviceAddress, nowMilliseconds now: UInt64) -> Bool {
        peers.find(address).map { needsSchemes($0, nowMilliseconds: now) } ?? false
    }

    func needsSchemes(_ slot: Int, nowMilliseconds now: UInt64) -> Bool {
        guard asksSchemes, peers.slots[slot].interest != .ignored else { return false }
        return schemeSearches[slot].key != peers.slots[slot].key.rawValue
            || now >= schemeSearches[slot].nextMilliseconds
    }

    /// Records that a link was searched for all enabled schemes.
    /// - Parameter hasFound: whether the peer has given an identity in any of them.
    public mutating func schemesSought(
        on address: DeviceAddress, hasFound: Bool, nowMilliseconds now: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        let pause = hasFound ? SchemeSearch.foundPauseMilliseconds : Exchange.longestStrangerPauseMilliseconds
        schemeSearches[slot] = SchemeSearch(
            key: peers.slots[slot].key.rawValue, nextMilliseconds: now + pause, failures: 0)
        // The peer has no Herald service. The agent looks for it again when the other schemes are due.
        if hasFound { peers.slots[slot].exchange.rest(untilMilliseconds: now + pause) }
    }

    /// Records that the search failed this time, and sets the back-off.
    mutating func schemeSearchFailed(_ slot: Int, nowMilliseconds now: UInt64, jitter: UInt64) {
        // If no search was due, something else failed.
        guard needsSchemes(slot, nowMilliseconds: now) else { return }
        let key = peers.slots[slot].key.rawValue
        let failures = schemeSearches[slot].key == key ? schemeSearches[slot].failures : 0
        let pause = Backoff.pauseMilliseconds(
            from: Exchange.shortestPauseMilliseconds, through: Exchange.longestPauseMilliseconds,
            failures: failures, jitter: jitter)
        schemeSearches[slot] = SchemeSearch(
            key: key, nextMilliseconds: now + pause, failures: failures < .max ? failures + 1 : failures)
    }

    /// Records the identity that a peer gave in a scheme, either read by us or written to us. Without an RSSI
    /// reading it has no encounter yet. The recorder accepts another identity once a minute at most, but
    /// one that was read replaces a written one at once. It keeps at most 129 bytes.
    public mutating func identify(
        _ address: DeviceAddress, as identity: Span<UInt8>, of scheme: SchemeID,
        marks: IdentityMarks = .none, nowMilliseconds now: UInt64
    ) {
        guard let index = scheme.linkIndex, let hint = scheme.hint, hears(hint), !identity.isEmpty,
            let bytes = FixedBuffer<129>(identity.extracting(first: min(identity.count, 129))),
            let slot = slotToName(address, nowMilliseconds: now)
        else { return }
        let place = slot * SchemeID.linkCount + index
        let key = peers.slots[slot].key.rawValue
        if schemeIdentities[place].key == key, !schemeIdentities[place].bytes.isEmpty {
            let isConfirmed =
                schemeIdentities[place].marks.contains(.written) && !marks.contains(.written)
            if !isConfirmed {
                let known = schemeIdentities[place].bytes
                if scheme.isSame(known.span, bytes.span) { return }
                guard now >= schemeIdentities[place].nextChangeMilliseconds else {
                    counters.refusedIdentities &+= 1
                    return
                }
            }
        }
        promote(slot, to: .participant)
        peers.establish(slot)
        dropWaiting(place: place)
        schemeIdentities[place] = SchemeIdentity(
            key: key, nextChangeMilliseconds: now + Exchange.changePauseMilliseconds, marks: marks,
            bytes: bytes)
        if peers.slots[slot].track.isOpen {
            push(
                .named(place: place, encounter: peers.slots[slot].track.encounter, milliseconds: now))
        }
    }

    /// Records an invalid identity as it is, up to 512 bytes. It identifies no device.
    public mutating func refuse(
        _ identity: Span<UInt8>, of scheme: SchemeID, from address: DeviceAddress,
        because reason: IdentityRefusal, marks: IdentityMarks = .none, nowMilliseconds now: UInt64
    ) {
        counters.refusedIdentities &+= 1
        // The sender speaks the scheme, even though its identity is unknown.
        if let slot = peers.find(address) { promote(slot, to: .participant) }
        guard let bytes = FixedBuffer<512>(identity.extracting(first: min(identity.count, 512))) else {
            return
        }
        push(
            .refused(
                encounter: writtenEncounter(with: address, nowMilliseconds: now) ?? 0, milliseconds: now,
                scheme, reason, marks), saying: bytes)
    }

    /// Writes the scheme identities of the open encounter's peer.
    mutating func writeSchemes(of slot: Int, nowMilliseconds now: UInt64) {
        guard asksSchemes else { return }
        let first = slot * SchemeID.linkCount
        for place in first..<first + SchemeID.linkCount
        where schemeIdentities[place].key == peers.slots[slot].key.rawValue
            && !schemeIdentities[place].bytes.isEmpty
        {
            push(
                .named(place: place, encounter: peers.slots[slot].track.encounter, milliseconds: now))
        }
    }

    /// Out of line because it is rare and long.
    @inline(never)
    func namingEntry(_ place: Int, encounter: UInt32, milliseconds: UInt64) -> LogEntry? {
        guard let scheme = SchemeID(linkIndex: place % SchemeID.linkCount) else { return nil }
        let bytes = schemeIdentities[place].bytes
        return .encounterIdentified(
            EncounterIdentifiedEntry(
                encounter: encounter, monotonicMilliseconds: milliseconds, scheme: SchemeCode(scheme),
                identity: FixedBuffer(bytes.span) ?? FixedBuffer(), marks: schemeIdentities[place].marks))
    }
}

extension SchemeID {
    fileprivate func isSame(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        one.extracting(first: min(one.count, namingByteCount))
            .isEqual(to: other.extracting(first: min(other.count, namingByteCount)))
    }
}

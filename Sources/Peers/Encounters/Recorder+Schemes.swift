import EncounterLog
import FixedMemory
import HCI
import Schemes

/// Who a peer is to a scheme other than Herald, in a place of its own: three for each slot, and none where no such scheme
/// is asked for.
struct SchemeIdentity: BitwiseCopyable {
    /// Of the peer that this is about.
    var key: UInt64
    /// Not before this time another one.
    var nextChangeMilliseconds: UInt64
    var marks: IdentityMarks
    /// Empty: none.
    var bytes: FixedBuffer<129>
}

/// How far we are with looking for such schemes on a peer.
struct SchemeSearch: BitwiseCopyable {
    /// Of the peer that this is about.
    var key: UInt64
    /// Not before this time again.
    var nextMilliseconds: UInt64
    var failures: UInt8

    /// Who has said who he is, is asked again: keys of an hour end.
    static var foundPauseMilliseconds: UInt64 { 900_000 }
}

/// Schemes whose identities are read, or written to us, over links.
extension Recorder {
    static func asksSchemes(_ settings: RecorderSettings) -> Bool {
        settings.heardHints.contains(.sonar) || settings.heardHints.contains(.covidTracer)
            || settings.heardHints.contains(.bleProximity)
    }

    /// Whether peers are asked for such identities.
    public var asksSchemes: Bool { schemeIdentities.count > 1 }

    /// Whether it is time to look on this peer for schemes beside Herald.
    public func needsSchemes(of address: DeviceAddress, nowMilliseconds now: UInt64) -> Bool {
        peers.find(address).map { needsSchemes($0, nowMilliseconds: now) } ?? false
    }

    func needsSchemes(_ slot: Int, nowMilliseconds now: UInt64) -> Bool {
        guard asksSchemes, peers.slots[slot].interest != .ignored else { return false }
        return schemeSearches[slot].key != peers.slots[slot].key.rawValue
            || now >= schemeSearches[slot].nextMilliseconds
    }

    /// A link has shown which schemes a peer has: all that are asked for were looked for.
    /// - Parameter hasFound: whether it has said who it is to any of them.
    public mutating func schemesSought(
        on address: DeviceAddress, hasFound: Bool, nowMilliseconds now: UInt64
    ) {
        guard let slot = peers.find(address) else { return }
        let pause = hasFound ? SchemeSearch.foundPauseMilliseconds : Exchange.longestStrangerPauseMilliseconds
        schemeSearches[slot] = SchemeSearch(
            key: peers.slots[slot].key.rawValue, nextMilliseconds: now + pause, failures: 0)
        // Herald it has not: when the others are due, it is looked for again.
        if hasFound { peers.slots[slot].exchange.rest(untilMilliseconds: now + pause) }
    }

    /// They could not be looked for this time.
    mutating func schemeSearchFailed(_ slot: Int, nowMilliseconds now: UInt64, jitter: UInt64) {
        // Otherwise it was something else that failed.
        guard needsSchemes(slot, nowMilliseconds: now) else { return }
        let key = peers.slots[slot].key.rawValue
        let failures = schemeSearches[slot].key == key ? schemeSearches[slot].failures : 0
        let pause = Backoff.pauseMilliseconds(
            from: Exchange.shortestPauseMilliseconds, through: Exchange.longestPauseMilliseconds,
            failures: failures, jitter: jitter)
        schemeSearches[slot] = SchemeSearch(
            key: key, nextMilliseconds: now + pause, failures: failures < .max ? failures + 1 : failures)
    }

    /// A peer has said who it is: we asked it, or it wrote it to us. Without an RSSI reading there is no encounter yet. An
    /// identity is followed by another one once a minute at most; but one that was written gives way at once to one that
    /// was read. At most 129 bytes are kept.
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

    /// What a peer has said it is cannot be. It is kept as it is, up to 512 bytes, and taken for nobody.
    public mutating func refuse(
        _ identity: Span<UInt8>, of scheme: SchemeID, from address: DeviceAddress,
        because reason: IdentityRefusal, marks: IdentityMarks = .none, nowMilliseconds now: UInt64
    ) {
        counters.refusedIdentities &+= 1
        // It speaks the scheme, whoever it is.
        if let slot = peers.find(address) { promote(slot, to: .participant) }
        guard let bytes = FixedBuffer<512>(identity.extracting(first: min(identity.count, 512))) else {
            return
        }
        push(
            .refused(
                encounter: writtenEncounter(with: address, nowMilliseconds: now) ?? 0, milliseconds: now,
                scheme, reason, marks), saying: bytes)
    }

    /// Says who the open encounter is with to the schemes that have asked.
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

    /// Out of line, for it is rare, and long.
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

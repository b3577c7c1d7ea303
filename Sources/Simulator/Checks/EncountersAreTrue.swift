import EncounterLog
import FixedMemory
import HCI
import Peers

/// Compares encounters in the log with the times when each device was heard.
///
/// Each encounter in the log is a stay of a device that was heard. Its first and last reading and its
/// number of readings are exact. While the radio had a fault, the encounter lies within that stay and has
/// at most as many readings. A device with a pseudo device address is one device under all its addresses,
/// in one encounter, except under an address that was heard without one before. An encounter that continued
/// under another address covers the stays of both. Each stay that ended well before the loss window is in
/// the log.
final class EncountersAreTrue: Check {
    private var boot: UInt64 = 0
    /// The devices that might take part, according to reports and links. Reports without signal strength
    /// count, too.
    private var interesting: Set<PeerKey> = []
    /// The pseudo device addresses seen with each address. There is one per device, unless bits were
    /// flipped.
    private var names: [DeviceAddress: [PeerKey]] = [:]
    /// The addresses that were heard without a pseudo device address before one was heard there. The agent
    /// knows such a device by this address until it forgets it, because an advert never renames a peer
    /// (docs/peers.md). So the device has an encounter of its own there, unless the log has the pseudo
    /// device address.
    private var unnamed: Set<DeviceAddress> = []
    /// The addresses with a pseudo device address that were later heard without one, because a report was
    /// damaged. That report makes a peer that is known by the address. If the agent reads the same identity
    /// from both, it merges them and knows the device by the address. The encounter then ends when the device
    /// moves on.
    private var stripped: Set<DeviceAddress> = []
    private var stays: [PeerKey: [HeardStay]] = [:]
    /// For each pseudo device address: the readings under the same on-air address that belong to another one.
    /// A damaged report makes a device seem to have two, and the agent may count the readings of both by the
    /// on-air address. The same goes for readings under an address of ``unnamed``, if the agent has forgotten
    /// the address in between.
    private var strays: [PeerKey: [Instant]] = [:]
    /// When the agent dropped entries, because its memory was full; that about another address may be one.
    private var drops: [Instant] = []
    private var droppedCount: UInt32 = 0
    private var opened: [UInt32: RecordedEncounter] = [:]
    /// Encounters closed recently. The entry that merges one into another encounter follows its closing
    /// entry, perhaps on the next page.
    private var closed: [RecordedEncounter] = []

    override func agentStarted() {
        boot = board.bootIdentifier
        interesting = []
        names = [:]
        unnamed = []
        stripped = []
        stays = [:]
        strays = [:]
        drops = []
        droppedCount = 0
        opened = [:]
        closed = []
    }

    override func stepped(_ step: StepFacts) {
        guard let count = board.counters?.dropped, count > droppedCount else { return }
        droppedCount = count
        drops.append(board.clock.now)
    }

    override func heard(_ report: HeardReport) {
        if report.peer.isPseudoAddress {
            names[report.address, default: []].removeAll { $0 == report.peer }
            names[report.address, default: []].append(report.peer)
        } else if names[report.address] == nil {
            unnamed.insert(report.address)
        } else if !unnamed.contains(report.address) {
            stripped.insert(report.address)
        }
        let peer = key(of: report.address)
        if report.isOfInterest { interesting.insert(peer) }
        guard report.rssiDBm != nil, interesting.contains(peer) else { return }
        for other in names[report.address] ?? [] where other != peer {
            strays[other, default: []].append(report.instant)
        }
        let isCertain = report.isParticipant && !stripped.contains(report.address)
        let known = stays[peer]
        if let last = known?.last, report.instant <= last.last + checker.encounterTimeout {
            stays[peer]?[(known?.count ?? 1) - 1].last = report.instant
            if !isCertain { stays[peer]?[(known?.count ?? 1) - 1].isCertain = false }
            stays[peer]?[(known?.count ?? 1) - 1].readings += 1
        } else {
            stays[peer, default: []].append(
                HeardStay(
                    first: report.instant, last: report.instant, readings: 1,
                    isCertain: isCertain))
        }
    }

    /// The key by which the agent knows the device at an address. An advert that arrived without its data
    /// does not identify its sender.
    private func key(of address: DeviceAddress) -> PeerKey {
        (unnamed.contains(address) ? nil : names[address]?.last) ?? PeerKey(address)
    }

    /// Merges the stays under an address into those of the pseudo device address by which the agent knows
    /// the device, as the log shows: it has forgotten what it heard there before.
    private func rename(_ address: DeviceAddress, _ peer: PeerKey) {
        guard unnamed.remove(address) != nil, var before = stays.removeValue(forKey: PeerKey(address)) else {
            return
        }
        for index in before.indices { before[index].isCertain = false }
        stays[peer] = HeardStay.joined(before + (stays[peer] ?? []), within: checker.encounterTimeout)
    }

    /// Marks a linked device as of interest: over the link it may identify itself.
    override func linked(_ peer: DeviceAddress) { interesting.insert(key(of: peer)) }

    /// The stay that contains a time, of the device at an address.
    private func stay(
        at address: DeviceAddress, _ time: Instant, reaching reach: Interval = .zero
    ) -> (peer: PeerKey, index: Int)? {
        let named = (names[address] ?? []).reversed()
        for peer in unnamed.contains(address) ? [PeerKey(address)] + named : named + [PeerKey(address)] {
            if let index = stays[peer]?.lastIndex(where: { $0.first <= time && time <= $0.last + reach }) {
                return (peer, index)
            }
        }
        return nil
    }

    /// The stay of a device that has moved to an address since. The log opens an encounter only after its
    /// first sample, and shows that the agent knows the device by its pseudo device address.
    private func stayBeforeMove(to address: DeviceAddress, _ time: Instant) -> (peer: PeerKey, index: Int)? {
        guard let peer = names[address]?.last else { return nil }
        for (earlier, peers) in names where peers.contains(peer) && unnamed.contains(earlier) {
            let isHere = stays[PeerKey(earlier)]?.contains { $0.first <= time && time <= $0.last } ?? false
            if isHere { rename(earlier, peer) }
        }
        return stay(at: address, time)
    }

    private subscript(_ place: (peer: PeerKey, index: Int)?) -> HeardStay? {
        place.flatMap { stays[$0.peer]?[$0.index] }
    }

    private func areOne(_ address: DeviceAddress, _ other: DeviceAddress) -> Bool {
        address == other || names[address].map { $0.last == names[other]?.last } ?? false
    }

    override func committed(_ page: CommittedPage) {
        guard page.bootIdentifier == boot else { return }
        let closedBefore = closed.count
        for entry in page.entries {
            switch entry {
            case .encounterOpened(let body):
                opened[body.encounter] = RecordedEncounter(address: body.deviceAddress, first: body.instant)
                checkOpening(body.deviceAddress, at: body.instant)
            case .encounterClosed(let body):
                guard var record = opened.removeValue(forKey: body.encounter) else { break }
                record.closing = body
                closed.append(record)
            case .peerDetails(let body) where body.detail == .otherAddress && body.value.count >= 7:
                let value = body.value.span
                checkContinuation(
                    of: body.encounter,
                    DeviceAddress(littleEndian: value.loadUInt48(at: 0), addressType: value[6]),
                    at: body.instant)
            case .peerDetails(let body) where body.detail == .pseudoAddress && body.value.count >= 6:
                guard let record = opened[body.encounter], record.continuations.isEmpty else { break }
                let peer = PeerKey(pseudoAddress: body.value.span.loadUInt48(at: 0))
                if names[record.address]?.contains(peer) == true { rename(record.address, peer) }
            default: break
            }
        }
        // Checks the encounters that earlier pages closed and that no entry on this page has merged.
        for record in closed.prefix(closedBefore) { check(record) }
        closed.removeFirst(closedBefore)
    }

    private func checkContinuation(of encounter: UInt32, _ address: DeviceAddress, at time: Instant) {
        let place = stay(at: address, time, reaching: checker.encounterTimeout)
        guard let place else {
            return broken("\(Self.text(address)) was not heard until \(time.milliseconds) ms")
        }
        stays[place.peer]?[place.index].isRecorded = true
        opened[encounter]?.continuations.append((address, time))
        // The merged encounter, if the log had it as one of its own.
        let first = self[place]?.first ?? .start
        guard let other = closed.lastIndex(where: { areOne($0.address, address) && $0.first >= first }) else {
            return
        }
        opened[encounter]?.absorbedReadings += UInt64(closed[other].closing?.readings ?? 0)
        closed[other].closing = nil
    }

    private func checkOpening(_ address: DeviceAddress, at time: Instant) {
        guard !checker.writes(address) else { return }
        guard let place = stay(at: address, time) ?? stayBeforeMove(to: address, time) else {
            return broken("\(Self.text(address)) was not heard at \(time.milliseconds) ms")
        }
        stays[place.peer]?[place.index].isRecorded = true
    }

    private func check(_ record: RecordedEncounter) {
        guard let closing = record.closing, !checker.writes(record.address) else { return }
        let name = Self.text(record.address)
        var places = [stay(at: record.address, record.first)]
        for (address, time) in record.continuations {
            places.append(stay(at: address, time, reaching: checker.encounterTimeout))
        }
        let parts = places.compactMap { self[$0] }
        guard let own = parts.first, parts.count == places.count else { return }
        let last = parts.map(\.last).max() ?? own.last
        let readings = parts.reduce(0) { $0 + $1.readings }
        let end = closing.instant
        let recorded = UInt64(closing.readings) + record.absorbedReadings
        if end > last || recorded > readings, hadFault(from: own.first, to: end) {
            let most = withStrays(places, to: end)
            if end <= most.last, recorded <= most.readings { return }
        }
        if end > last || recorded > readings {
            let lost = lostContinuations(besides: places, from: own.first, to: end)
            let most = lost.reduce(readings) { $0 + $1.readings }
            if lost.contains(where: { $0.last == end }), recorded <= most { return }
        }
        if end > last {
            broken("\(name) was last heard at \(last.milliseconds) ms, the log says \(end.milliseconds)")
        } else if recorded > readings {
            broken("\(name) was heard \(readings) times, the log says \(recorded)")
        } else if own.first != record.first || last != end || readings != recorded,
            parts.allSatisfy(\.isCertain), !hadFault(from: own.first, to: last)
        {
            broken(
                """
                \(name) was heard \(readings) times from \(own.first.milliseconds) to \(last.milliseconds) ms, \
                the log says \(recorded) times from \(record.first.milliseconds) to \(end.milliseconds)
                """)
        }
    }

    /// The stays under other addresses that an encounter may have continued with, if the agent dropped
    /// entries before the encounter ended.
    private func lostContinuations(
        besides places: [(peer: PeerKey, index: Int)?], from start: Instant, to end: Instant
    ) -> [HeardStay] {
        guard drops.contains(where: { $0 >= start && $0 <= end + checker.encounterTimeout }) else {
            return []
        }
        let peers = Set(places.compactMap { $0?.peer })
        return stays.filter { !peers.contains($0.key) }.values.joined()
            .filter { $0.first >= start && $0.last <= end }
    }

    /// The last reading and the number of readings at the places, with the strays of their devices. Strays
    /// can bridge a pause that would end an encounter.
    private func withStrays(
        _ places: [(peer: PeerKey, index: Int)?], to end: Instant
    ) -> (last: Instant, readings: UInt64) {
        var lasts: [PeerKey: Instant] = [:]
        var readings: UInt64 = 0
        for case let place? in places {
            guard let own = self[place], own.first > lasts[place.peer] ?? .start else { continue }
            let range = own.first...max(own.first, end)
            let strays = (strays[place.peer] ?? []).filter(range.contains)
            let parts =
                (stays[place.peer] ?? []).filter { range.contains($0.first) }
                + strays.map { HeardStay(first: $0, last: $0, readings: 1, isCertain: false) }
            guard let joined = HeardStay.joined(parts, within: checker.encounterTimeout).first else {
                continue
            }
            readings += joined.readings
            lasts[place.peer] = joined.last
        }
        return (lasts.values.max() ?? .start, readings)
    }

    override func agentEnded() {
        // An entry that should follow the last page may be lost, so these encounters cannot be checked.
        closed = []
        let now = board.clock.now
        let margin = checker.lossWindow + checker.encounterTimeout + .seconds(10)
        for (peer, list) in stays.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for stay in list where !stay.isRecorded && stay.isCertain && stay.last + margin < now {
                guard !hadFault(from: stay.first, to: stay.last),
                    !diary.had(\.isOfFlash, from: checker.bootTime, to: checker.world.now)
                else { continue }
                broken(
                    """
                    \(String(peer.rawValue, radix: 16)), heard from \(stay.first.milliseconds) to \
                    \(stay.last.milliseconds) ms, is not in the log
                    """
                )
            }
        }
    }

    private func hadFault(from start: Instant, to end: Instant) -> Bool {
        let clock = board.clock
        let early = start.earlier(by: .seconds(5))
        return diary.had(\.isOfRadio, from: clock.time(of: early), to: clock.time(of: end + .seconds(1)))
    }

    private static func text(_ address: DeviceAddress) -> String { String(address.value, radix: 16) }
}

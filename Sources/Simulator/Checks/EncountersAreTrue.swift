import EncounterLog
import HCI
import Peers

/// Encounters in the log, beside who was heard when.
///
/// Each encounter in the log is a stay of somebody who was heard: from the first reading to the last, and with as many
/// readings, exactly; while the radio had a fault, from within that stay and with no more readings than there were. Who
/// says a pseudo device address stays the same under all his addresses, and is in one encounter. Where it went on under
/// another name, it is their stays together. And each stay that was over well before the loss window is in the log.
final class EncountersAreTrue: Check {
    private struct Stay {
        var first: UInt64
        var last: UInt64
        var readings: UInt64
        var isRecorded = false
        /// Each report said that its sender takes part. Else the agent may have given it up in between.
        var isCertain: Bool
    }

    /// An encounter as the log tells it.
    private struct Record {
        let address: DeviceAddress
        let first: UInt64
        /// Other addresses under which it went on, and when the agent found out.
        var continuations: [(address: DeviceAddress, milliseconds: UInt64)] = []
        /// Of encounters that turned out to be of the same device, and were closed in favour of this one.
        var absorbedReadings: UInt64 = 0
        var closing: EncounterClosedEntry?
    }

    private var boot: UInt64 = 0
    /// Who might take part, as far as reports have told, those without signal strength too, and links.
    private var interesting: Set<PeerKey> = []
    /// Whatever somebody has been known by under an address beside that itself: one name, unless bits of it were flipped.
    private var names: [DeviceAddress: [PeerKey]] = [:]
    private var stays: [PeerKey: [Stay]] = [:]
    private var opened: [UInt32: Record] = [:]
    /// Closed lately. That another encounter went on with it is told right behind its closing, on the next page maybe.
    private var closed: [Record] = []

    override func agentStarted() {
        boot = board.bootIdentifier
        interesting = []
        names = [:]
        stays = [:]
        opened = [:]
        closed = []
    }

    override func heard(_ report: HeardReport) {
        if report.peer.isPseudoAddress, names[report.address]?.last != report.peer {
            rename(report.address, report.peer)
        }
        // An advert that came without its data says nothing of who it is of.
        let peer = names[report.address]?.last ?? report.peer
        if report.isOfInterest { interesting.insert(peer) }
        guard report.rssiDBm != nil, interesting.contains(peer) else { return }
        let known = stays[peer]
        if let last = known?.last, report.milliseconds <= last.last + overseer.gapMilliseconds {
            stays[peer]?[(known?.count ?? 1) - 1].last = report.milliseconds
            if !report.isParticipant { stays[peer]?[(known?.count ?? 1) - 1].isCertain = false }
            stays[peer]?[(known?.count ?? 1) - 1].readings += 1
        } else {
            stays[peer, default: []].append(
                Stay(
                    first: report.milliseconds, last: report.milliseconds, readings: 1,
                    isCertain: report.isParticipant))
        }
    }

    /// Who was known by his address turns out to have a pseudo one; what was heard of him is of the same device, as far as he
    /// was already of interest.
    private func rename(_ address: DeviceAddress, _ peer: PeerKey) {
        let isNew = names[address] == nil
        names[address, default: []].removeAll { $0 == peer }
        names[address, default: []].append(peer)
        guard isNew, var before = stays.removeValue(forKey: PeerKey(address)) else { return }
        for index in before.indices { before[index].isCertain = false }
        stays[peer] = joined(before + (stays[peer] ?? []))
    }

    /// Stays of one device: those between which it was not silent for long are one.
    private func joined(_ list: [Stay]) -> [Stay] {
        list.sorted { $0.first < $1.first }.reduce(into: []) { result, stay in
            guard let last = result.last, stay.first <= last.last + overseer.gapMilliseconds else {
                return result.append(stay)
            }
            result[result.count - 1] = Stay(
                first: last.first, last: max(last.last, stay.last), readings: last.readings + stay.readings,
                isRecorded: last.isRecorded || stay.isRecorded, isCertain: last.isCertain && stay.isCertain)
        }
    }

    /// Who has a link may say who he is over it, and is of interest from then on, though his adverts say nothing.
    override func linked(_ peer: DeviceAddress) { interesting.insert(names[peer]?.last ?? PeerKey(peer)) }

    /// The stay of whoever is at an address, in which a time lies.
    private func stay(
        at address: DeviceAddress, _ time: UInt64, reaching reach: UInt64 = 0
    ) -> (peer: PeerKey, index: Int)? {
        for peer in (names[address] ?? []).reversed() + [PeerKey(address)] {
            if let index = stays[peer]?.lastIndex(where: { $0.first <= time && time <= $0.last + reach }) {
                return (peer, index)
            }
        }
        return nil
    }

    private subscript(_ place: (peer: PeerKey, index: Int)?) -> Stay? {
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
                opened[body.encounter] = Record(
                    address: body.deviceAddress, first: body.monotonicMilliseconds)
                noteOpened(body.deviceAddress, at: body.monotonicMilliseconds)
            case .encounterClosed(let body):
                guard var record = opened.removeValue(forKey: body.encounter) else { break }
                record.closing = body
                closed.append(record)
            case .peerDetails(let body) where body.detail == .otherAddress && body.value.count >= 7:
                let value = body.value.span
                noteContinuation(
                    of: body.encounter,
                    DeviceAddress(littleEndian: value.loadUInt48(at: 0), addressType: value[6]),
                    at: body.monotonicMilliseconds)
            default: break
            }
        }
        // Those of the pages before, as far as nothing on this one was about them.
        for record in closed.prefix(closedBefore) { check(record) }
        closed.removeFirst(closedBefore)
    }

    private func noteContinuation(
        of encounter: UInt32, _ address: DeviceAddress, at time: UInt64
    ) {
        let place = stay(at: address, time, reaching: overseer.gapMilliseconds)
        guard let place else { return broken("\(Self.text(address)) was not heard until \(time) ms") }
        stays[place.peer]?[place.index].isRecorded = true
        opened[encounter]?.continuations.append((address, time))
        // The one that was closed for it, if it was in the log by itself.
        let first = self[place]?.first ?? 0
        guard let other = closed.lastIndex(where: { areOne($0.address, address) && $0.first >= first }) else {
            return
        }
        opened[encounter]?.absorbedReadings += UInt64(closed[other].closing?.readings ?? 0)
        closed[other].closing = nil
    }

    private func noteOpened(_ address: DeviceAddress, at time: UInt64) {
        guard !overseer.writes(address) else { return }
        guard let place = stay(at: address, time) else {
            return broken("\(Self.text(address)) was not heard at \(time) ms")
        }
        stays[place.peer]?[place.index].isRecorded = true
    }

    private func check(_ record: Record) {
        guard let closing = record.closing, !overseer.writes(record.address) else { return }
        let name = Self.text(record.address)
        let own = self[stay(at: record.address, record.first)]
        let others = record.continuations.map { address, time in
            self[stay(at: address, time, reaching: overseer.gapMilliseconds)]
        }
        guard let own, !others.contains(where: { $0 == nil }) else { return }
        let parts = [own] + others.compactMap(\.self)
        let last = parts.map(\.last).max() ?? own.last
        let readings = parts.reduce(0) { $0 + $1.readings }
        let end = closing.monotonicMilliseconds
        let recorded = UInt64(closing.readings) + record.absorbedReadings
        if end > last {
            broken("\(name) was last heard at \(last) ms, the log says \(end)")
        } else if recorded > readings {
            broken("\(name) was heard \(readings) times, the log says \(recorded)")
        } else if own.first != record.first || last != end || readings != recorded,
            parts.allSatisfy(\.isCertain), !hadFault(from: own.first, to: last)
        {
            broken(
                "\(name) was heard \(readings) times from \(own.first) to \(last) ms, the log says "
                    + "\(recorded) times from \(record.first) to \(end)")
        }
    }

    override func agentEnded() {
        // Of those on the last page it may be that what was to follow is lost.
        closed = []
        let now = board.clock.monotonicMilliseconds
        let margin = overseer.lossWindowMilliseconds + overseer.gapMilliseconds + 10_000
        for (peer, list) in stays.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for stay in list where !stay.isRecorded && stay.isCertain && stay.last + margin < now {
                guard !hadFault(from: stay.first, to: stay.last),
                    !diary.had(\.isOfFlash, from: overseer.bootTime, to: overseer.world.now)
                else { continue }
                broken(
                    "\(String(peer.rawValue, radix: 16)), heard from \(stay.first) to \(stay.last) ms, is not in the log"
                )
            }
        }
    }

    private func hadFault(from start: UInt64, to end: UInt64) -> Bool {
        let clock = board.clock
        let early = start > 5_000 ? start - 5_000 : 0
        return diary.had(
            \.isOfRadio, from: clock.time(ofMonotonicMilliseconds: early),
            to: clock.time(ofMonotonicMilliseconds: end + 1_000))
    }

    private static func text(_ address: DeviceAddress) -> String { String(address.value, radix: 16) }
}

import EncounterLog
import HCI

/// Encounters in the log, beside who was heard when.
final class EncountersAreTrue: Check {
    override class var statement: String {
        """
        Each encounter in the log is a stay of somebody who was heard: from the first reading to the last, and with as \
        many readings, exactly; while the radio had a fault, from within that stay and with no more readings than \
        there were. And each stay that was over well before the loss window is in the log.
        """
    }

    private struct Stay {
        var first: UInt64
        var last: UInt64
        var readings: UInt64
        var isRecorded = false
        /// Each report said that its sender takes part. Else the agent may have given it up in between.
        var isCertain: Bool
    }

    private var boot: UInt64 = 0
    /// Who might take part, as far as reports have told, those without signal strength too.
    private var interesting: Set<DeviceAddress> = []
    private var stays: [DeviceAddress: [Stay]] = [:]
    private var opened: [UInt32: (address: DeviceAddress, milliseconds: UInt64)] = [:]

    override func agentStarted() {
        boot = board.bootIdentifier
        interesting = []
        stays = [:]
        opened = [:]
    }

    override func heard(_ report: HeardReport) {
        if report.isOfInterest { interesting.insert(report.address) }
        guard report.rssiDBm != nil, interesting.contains(report.address) else { return }
        let known = stays[report.address]
        if let last = known?.last, report.milliseconds <= last.last + overseer.gapMilliseconds {
            stays[report.address]?[(known?.count ?? 1) - 1].last = report.milliseconds
            if !report.isParticipant { stays[report.address]?[(known?.count ?? 1) - 1].isCertain = false }
            stays[report.address]?[(known?.count ?? 1) - 1].readings += 1
        } else {
            stays[report.address, default: []].append(
                Stay(
                    first: report.milliseconds, last: report.milliseconds, readings: 1,
                    isCertain: report.isParticipant))
        }
    }

    override func committed(_ page: CommittedPage) {
        guard page.header.bootIdentifier == boot else { return }
        for entry in page.entries {
            switch entry {
            case .encounterOpened(let body):
                let address = DeviceAddress(
                    littleEndian: body.address.span.loadUInt48(at: 0), addressType: body.addressType)
                opened[body.encounter] = (address, body.monotonicMilliseconds)
                noteOpened(address, at: body.monotonicMilliseconds)
            case .encounterClosed(let body): check(body)
            default: break
            }
        }
    }

    private func noteOpened(_ address: DeviceAddress, at time: UInt64) {
        guard !overseer.writes(address) else { return }
        let index = stays[address]?.lastIndex { $0.first <= time && time <= $0.last }
        guard let index else { return broken("\(Self.text(address)) was not heard at \(time) ms") }
        stays[address]?[index].isRecorded = true
    }

    private func check(_ entry: EncounterClosedEntry) {
        guard let opening = opened.removeValue(forKey: entry.encounter) else { return }
        let (address, first) = opening
        guard !overseer.writes(address) else { return }
        let end = entry.monotonicMilliseconds
        let name = Self.text(address)
        guard let stay = stays[address]?.last(where: { $0.first <= first && first <= $0.last }) else {
            return
        }
        if end > stay.last {
            broken("\(name) was last heard at \(stay.last) ms, the log says \(end)")
        } else if UInt64(entry.readings) > stay.readings {
            broken("\(name) was heard \(stay.readings) times, the log says \(entry.readings)")
        } else if stay.first != first || stay.last != end || stay.readings != UInt64(entry.readings),
            stay.isCertain, !hadFault(from: stay.first, to: stay.last)
        {
            broken(
                "\(name) was heard \(stay.readings) times from \(stay.first) to \(stay.last) ms, the log says "
                    + "\(entry.readings) times from \(first) to \(end)")
        }
    }

    override func agentEnded() {
        let now = board.clock.monotonicMilliseconds
        let margin = overseer.lossWindowMilliseconds + overseer.gapMilliseconds + 10_000
        for (address, list) in stays.sorted(by: { $0.key.value < $1.key.value }) {
            for stay in list where !stay.isRecorded && stay.isCertain && stay.last + margin < now {
                guard !hadFault(from: stay.first, to: stay.last),
                    !diary.had(\.isOfFlash, from: overseer.bootTime, to: overseer.world.now)
                else { continue }
                broken(
                    "\(Self.text(address)), heard from \(stay.first) to \(stay.last) ms, is not in the log")
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

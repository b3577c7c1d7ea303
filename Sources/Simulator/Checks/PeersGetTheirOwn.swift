import EncounterLog
import HCI

/// Checks that data for one peer never reaches another.
///
/// A phone reads the payload of the board that it is linked with. An encounter's identity and model are
/// those of the phone that has, or had, its address.
final class PeersGetTheirOwn: Check {
    private var encounters = EncounterAddresses()
    /// The board payloads that phones read. A wearable has one under each of its addresses; any other board
    /// has one in all, under nil.
    private var payloads: [DeviceAddress?: [UInt8]] = [:]
    private var neighbourPayload: [UInt8]?
    /// The payload of each board's address as a phone last read it while nothing was garbled. A garbled read
    /// does not show what the board has, so no other read is compared with it, however much later.
    private var soundPayloads: [DeviceAddress: [UInt8]] = [:]
    private var readsSeen = SimulatedTime.zero
    /// Identities that belong to nobody and that a fault excused. A board remembers its peers for longer
    /// than an encounter, so they may come again.
    private var garbled: Set<[UInt8]> = []
    /// When links began between the board and each phone.
    private var links: [String: [SimulatedTime]] = [:]
    private var violations: [String: Int] = [:]
    private var second: UInt64 = 0

    override func committed(_ page: CommittedPage) {
        encounters.begin(page)
        for entry in page.entries {
            encounters.record(entry)
            switch entry {
            case .encounterIdentified(let body): check(body)
            case .peerDetails(let body) where body.detail == .model || body.detail == .manufacturer:
                check(body)
            default: break
            }
        }
    }

    private func check(_ entry: PeerDetailsEntry) {
        guard let phone = checker.phone(at: encounters[entry.encounter]) else { return }
        let value = (0..<entry.value.count).map { entry.value[$0] }
        let time = board.clock.time(of: entry.instant)
        guard !phone.kind.saysModel || value != phone.model, !diary.hadGarbled(before: time) else { return }
        broken("\(phone.name) is recorded with a model that it has not")
    }

    private func check(_ entry: EncounterIdentifiedEntry) {
        guard let phone = checker.phone(at: encounters[entry.encounter]) else { return }
        let identity = (0..<entry.identity.count).map { entry.identity[$0] }
        guard !phone.payloads.contains(identity) else { return }
        let owner = checker.phones.first { $0.payloads.contains(identity) }
        // A stream has no checksum, so bits of the identity or of the link's handle may have changed. A
        // lost Disconnection Complete event also leaves its handle to the next link.
        if diary.hadGarbled(before: board.clock.time(of: entry.instant))
            || owner == nil && hadGarbledLink(with: phone)
        {
            garbled.insert(identity)
        }
        guard !garbled.contains(identity) else { return }
        broken("\(phone.name) is recorded as \(owner?.name ?? "somebody that nobody is")")
    }

    override func linked(_ peer: DeviceAddress) {
        guard let phone = checker.phone(at: peer) else { return }
        links[phone.name, default: []].append(checker.world.now)
    }

    /// Whether the board may have read a garbled identity of the phone. It may log that much later, with the
    /// phone's first encounter after a time without readings.
    private func hadGarbledLink(with phone: SimulatedPhone) -> Bool {
        (links[phone.name] ?? []).contains {
            diary.hadGarbled(before: min($0 + .seconds(30), checker.world.now))
        }
    }

    override func stepped(_ step: StepFacts) {
        let now = checker.world.now.microseconds / 1_000_000
        guard now != second else { return }
        second = now
        compareReads()
        for (phone, all) in checker.neighbours.violations {
            let known = violations[phone] ?? 0
            guard all.count > known else { continue }
            violations[phone] = all.count
            // No phone or board can answer correctly to events that the controller garbled or doubled.
            guard !diary.hadGarbled(before: checker.world.now) else { continue }
            for violation in all[known...] { broken(violation) }
        }
    }

    /// Compares what phones have read since the last time with what was read under the same address before.
    private func compareReads() {
        for phone in checker.phones {
            for read in phone.boardsRead
            where read.time >= readsSeen && !diary.hadGarbled(before: read.time) {
                if let before = soundPayloads[read.board], before != read.payload {
                    broken("\(phone.name): board \(read.board.value) has another payload than before")
                }
                soundPayloads[read.board] = read.payload
            }
        }
        readsSeen = checker.world.now
    }

    override func worldEnded() {
        compareReads()
        let own = board.controller.truth.addresses
        for phone in checker.phones {
            for read in phone.boardsRead {
                if own.contains(read.board) {
                    let place: DeviceAddress? = checker.options.has(.wearable) ? read.board : nil
                    // An address may have been garbled on its way to the controller.
                    if let payload = payloads[place], payload != read.payload,
                        !diary.had(\.garbles, from: .zero, to: checker.world.now)
                    {
                        broken("\(phone.name) has read something else")
                    }
                    payloads[place] = read.payload
                } else {
                    if let payload = neighbourPayload, payload != read.payload {
                        broken("\(phone.name) has read something else of the neighbour")
                    }
                    neighbourPayload = read.payload
                }
            }
        }
        if let neighbourPayload, payloads.values.contains(neighbourPayload) {
            broken("the board has the neighbour's payload")
        }
    }
}

import EncounterLog
import FixedMemory
import FlashSimulator
import HCI

/// One run of an ``AttackPlan``: with attackers, or with harmless devices in their place.
final class AttackRoom {
    private let plan: AttackPlan
    private let isHostile: Bool
    private let world: World
    private let board: SimulatedBoard
    private var phones: [SimulatedPhone] = []
    private var attackers: [HostilePhone] = []
    private var reports: [MeasuredReport] = []

    init(_ plan: AttackPlan, isHostile: Bool) {
        self.plan = plan
        self.isHostile = isHostile
        world = World(seed: plan.seed)
        var setup = BoardSetup()
        setup.segmentCount = 128
        board = SimulatedBoard("board", setup, in: world)
        for (number, guest) in plan.guests.enumerated() {
            let phone = SimulatedPhone(
                "phone \(number)", guest.kind, at: Route(standingAt: guest.place), in: world)
            phone.setPresent(false)
            for stay in guest.stays {
                world.at(stay.lowerBound) {
                    phone.setPresent(true)
                    phone.advertiseAgain()
                }
                world.at(stay.upperBound) { phone.setPresent(false) }
            }
            phones.append(phone)
        }
        for (number, place) in plan.attackers.enumerated() {
            attackers.append(
                HostilePhone("attacker \(number)", at: Route(standingAt: place), in: world))
        }
        for step in plan.steps { world.at(step.time) { [unowned self] in perform(step) } }
        board.controller.transport.onTaken = { [unowned self] in took($0) }
    }

    func run() -> AttackRecord {
        board.powerOn()
        world.run(for: plan.duration)
        board.stop()
        world.run(for: .seconds(5))
        let record = AttackRecord(
            phones: phones.map {
                AttackRecord.Phone(
                    name: "\($0.name) (\($0.kind.name))", payloads: $0.payloads, addresses: Set($0.addresses),
                    pseudoAddresses: Set($0.pseudoAddresses),
                    isOftenLinked: $0.kind.readsBoardsEvery.map { $0 < .minutes(1) } ?? false)
            },
            entries: BoardLog(of: board).pages(of: board).flatMap(\.entries), reports: reports,
            acknowledgedCount: attackers.reduce(0) { $0 + $1.acknowledgedCount },
            visitCount: attackers.reduce(0) { $0 + $1.visitCount })
        world.end()
        return record
    }

    // MARK: Attacks

    private func perform(_ step: AttackPlan.Step) {
        let attacker = attackers[step.attacker]
        let victim = phones[step.victim]
        let address = isHostile ? victim.address : attacker.address
        switch step.act {
        case .connect: attacker.plan(HostilePhone.Visit(as: address, writing: []))
        case .write(let rssiDBm, let count):
            let payload = isHostile ? AttackPlan.foreignPayload : ownPayload(of: step.attacker)
            attacker.plan(
                HostilePhone.Visit(
                    as: address,
                    writing: [.payload(payload)]
                        + [HostilePhone.Signal](repeating: .rssi(rssiDBm), count: count)))
        case .rename, .movePseudoAddress: whenHeard(victim) { [unowned self] in sendAdverts(step) }
        }
    }

    /// Waits until the board has heard the phone under its present address. Before that the board cannot
    /// distinguish an attacker under that address from the phone (docs/crowds.md).
    private func whenHeard(_ victim: SimulatedPhone, then act: @escaping () -> Void) {
        let address = victim.address
        world.after(.seconds(2)) { [unowned self] in
            guard victim.isPresent else { return }
            victim.address == address ? act() : whenHeard(victim, then: act)
        }
    }

    private func sendAdverts(_ step: AttackPlan.Step) {
        let attacker = attackers[step.attacker]
        let address = isHostile ? phones[step.victim].address : attacker.address
        let own = ownPseudoAddress(of: step.attacker)
        if case .rename = step.act {
            return advertise(attacker, from: address, own, for: .seconds(1)) { [unowned self] in
                advertise(attacker, from: attacker.address, own, for: .seconds(3))
            }
        }
        // With the pseudo address of a phone that has left, the adverts would make it present.
        let others = phones.indices.filter {
            $0 != step.victim && phones[$0].isPresent && !phones[$0].pseudoAddresses.isEmpty
        }
        let stolen = others.first.flatMap { phones[$0].pseudoAddresses.last }
        advertise(attacker, from: address, (isHostile ? stolen : nil) ?? own, for: .seconds(1))
    }

    private func advertise(
        _ attacker: HostilePhone, from address: DeviceAddress, _ pseudoAddress: [UInt8],
        for duration: SimulatedDuration, then next: @escaping () -> Void = {}
    ) {
        attacker.advertise(
            Advertisement(
                address: address, kind: .nonConnectable,
                data: FieldAdverts.pseudoAddress(pseudoAddress, isLegacy: false)), every: .milliseconds(200))
        world.after(duration) {
            attacker.stopAdvertising()
            next()
        }
    }

    private func ownPseudoAddress(of attacker: Int) -> [UInt8] {
        [0xa0, UInt8(truncatingIfNeeded: attacker), 3, 4, 5, 6]
    }

    private func ownPayload(of attacker: Int) -> [UInt8] {
        Array(AttackPlan.foreignPayload.dropLast()) + [UInt8(truncatingIfNeeded: attacker)]
    }

    // MARK: Readings of the controller

    private func took(_ packet: [UInt8]) {
        guard case .advertisingReports(var reports)? = try? Event(packet.span) else { return }
        let now = board.clock.now
        while let report = reports.next() {
            guard let rssi = report.rssi else { continue }
            self.reports.append(
                MeasuredReport(
                    instant: now, address: report.address, dBm: rssi.dBm, data: report.data.array))
        }
    }
}

/// A report that the controller gave to the agent.
struct MeasuredReport: Sendable {
    let instant: Instant
    let address: DeviceAddress
    let dBm: Int8
    let data: [UInt8]

    /// Whether the advert's data contain these bytes.
    func names(_ pseudoAddress: [UInt8]) -> Bool {
        data.count >= pseudoAddress.count
            && (0...data.count - pseudoAddress.count).contains { data[$0...].starts(with: pseudoAddress) }
    }
}

extension Span<UInt8> {
    fileprivate var array: [UInt8] { indices.map { self[$0] } }
}

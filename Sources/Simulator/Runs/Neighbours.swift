import FlashSimulator
import HCI

/// The neighbours: all devices in the room beside the board under test.
final class Neighbours {
    var phones: [SimulatedPhone] = []
    var bystanders: [Bystander] = []
    /// Phones with apps of other schemes, including those that have left for good.
    private(set) var schemePhones: [SchemePhone] = []
    private(set) var neighbour: SimulatedBoard?
    private let world: World

    init(in world: World) { self.world = world }

    /// Messages from boards to phones that break the rules, by the phone's name.
    var violations: [(phone: String, all: [String])] {
        phones.map { (phone: $0.name, all: $0.violations) }
            + schemePhones.map { (phone: $0.name, all: $0.violations) }
    }

    /// Whether this is the address of a device that never writes signal strengths to boards.
    func isSilentOnLinks(_ address: DeviceAddress) -> Bool {
        if let phone = phones.first(where: { $0.hasHad(address) }) { return !phone.kind.writesSignals }
        return neighbour?.controller.truth.addresses.contains(address) ?? false
    }

    // MARK: Herald phones

    /// Adds a phone whose scan starts at a random moment. A phone in step with others would answer the same
    /// adverts as they do, and always lose to the first of them.
    func add(_ phone: SimulatedPhone) {
        var random = world.random("scan of \(phone.name)")
        phone.shiftScan(&random)
        phones.append(phone)
    }

    /// Adds the phones that world options require. They leave now and then, and come back.
    func addGuests(_ kinds: [PhoneKind], until end: SimulatedTime, _ random: inout RandomStream) {
        for (number, kind) in kinds.enumerated() {
            let place = Route(standingAt: Position.inRoom(&random))
            let phone = SimulatedPhone("\(kind.name) \(number)", kind, at: place, in: world)
            add(phone)
            scheduleVisits(of: phone, until: end, &random)
        }
    }

    func scheduleVisits(of station: Station, until end: SimulatedTime, _ random: inout RandomStream) {
        var time = SimulatedTime.zero + random.duration(upTo: .minutes(10))
        var isThere = true
        while time < end {
            isThere.toggle()
            let next = isThere
            world.at(time) { station.setPresent(next) }
            time += .seconds(5) + random.duration(upTo: .minutes(isThere ? 20 : 8))
        }
    }

    // MARK: Phones of other schemes

    /// Adds phones of each kind, one after the other. Each comes, stays for a while, and leaves.
    func addSchemePhones(
        _ kinds: [SchemePhoneKind], until end: SimulatedTime, _ random: inout RandomStream
    ) {
        for kind in kinds {
            var time = SimulatedTime.zero + random.duration(upTo: .minutes(5))
            var number = 0
            while time < end {
                let leaving = time + .minutes(2) + random.duration(upTo: .minutes(25))
                plan(
                    "\(kind.name) \(number)", kind, from: time, until: leaving < end ? leaving : nil, &random)
                time = leaving + random.duration(upTo: .minutes(5))
                number += 1
            }
        }
    }

    private func plan(
        _ name: String, _ kind: SchemePhoneKind, from start: SimulatedTime, until end: SimulatedTime?,
        _ random: inout RandomStream
    ) {
        let place = Position.inRoom(&random)
        world.at(start) { [unowned self] in
            let phone = SchemePhone(
                name, kind, epochSeconds: SyncingHost.epochMilliseconds / 1_000,
                at: Route(standingAt: place), in: world)
            schemePhones.append(phone)
            if let end { world.at(end) { phone.leaveForGood() } }
        }
    }

    // MARK: The other board

    /// Adds a second board whose power is cut now and then.
    func addNeighbour(until end: SimulatedTime, _ random: inout RandomStream) {
        var setup = BoardSetup()
        setup.options = ["herald.location=654321"]
        setup.place = Route(standingAt: Position.inRoom(&random))
        setup.segmentCount = 32
        let board = SimulatedBoard("neighbour", setup, in: world)
        neighbour = board
        var time = SimulatedTime.zero + random.duration(upTo: .minutes(2))
        while time < end {
            world.at(time) { board.powerOn() }
            time += .minutes(5) + random.duration(upTo: .minutes(25))
            guard time < end else { break }
            world.at(time) { board.cutPower() }
            time += .seconds(1) + random.duration(upTo: .minutes(3))
        }
    }
}

extension Position {
    /// A random position within ten metres in each direction.
    static func inRoom(_ random: inout RandomStream) -> Position {
        Position(Double(random.below(200)) / 10 - 10, Double(random.below(200)) / 10 - 10)
    }
}

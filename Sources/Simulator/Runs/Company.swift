import FlashSimulator
import HCI

/// Who is in a room beside the board under test.
final class Company {
    var phones: [SimulatedPhone] = []
    var strangers: [Passer] = []
    /// With the apps of other schemes; those who have left for good among them.
    private(set) var schemePhones: [SchemePhone] = []
    private(set) var neighbour: SimulatedBoard?
    private let world: World

    init(in world: World) { self.world = world }

    /// What boards have sent to phones that they must not, by the phone's name.
    var violations: [(phone: String, all: [String])] {
        phones.map { (phone: $0.name, all: $0.violations) }
            + schemePhones.map { (phone: $0.name, all: $0.violations) }
    }

    /// Whether this is the address of somebody who tells boards nothing of how near they are.
    func isSilentOnLinks(_ address: DeviceAddress) -> Bool {
        if let phone = phones.first(where: { $0.hasHad(address) }) { return !phone.kind.writesSignals }
        return neighbour?.controller.truth.addresses.contains(address) ?? false
    }

    // MARK: Phones of Herald

    /// Each listens at times of its own. In step with others it would answer the same adverts as they do, and always lose to
    /// the one that was there first.
    func add(_ phone: SimulatedPhone) {
        var random = world.random("scan of \(phone.name)")
        if let scanning = phone.scanning {
            phone.scanning?.start += random.duration(upTo: scanning.interval * Scanning.channelCount)
        }
        phones.append(phone)
    }

    /// Those whom options bring: they go away now and then, and come back.
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

    /// One of that kind after the other comes, stays for a while, and leaves.
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

    /// Its power is cut now and then.
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
    /// Anywhere within ten metres, in both directions.
    static func inRoom(_ random: inout RandomStream) -> Position {
        Position(Double(random.below(200)) / 10 - 10, Double(random.below(200)) / 10 - 10)
    }
}

import Analysis
import FixedMemory
import FlashSimulator
import HCI
import Schemes
import Simulator

/// The room of one formal test, with its devices.
final class FormalSetting {
    let world: World
    let options: FormalRun.Options
    let test: FormalTest
    private var boards: [SimulatedBoard] = []
    private var phones: [SimulatedPhone] = []
    private var androids: [HeraldAndroid] = []
    /// The contact log of each of these.
    private var contacts: [FormalObservations] = []
    private var others: [SchemePhone] = []
    /// The names of all devices, boards before phones.
    private var names: [String] { (0..<options.deviceCount).map(Self.name) }
    private var logs: [BoardEncounters] = []

    /// The time before the test. The devices are switched on one after the other, and detect each other
    /// before it begins.
    private static let settingUp = SimulatedDuration.minutes(2)
    private static let switchingOn = SimulatedDuration.seconds(20)
    /// 2026-03-02 00:00 UTC, on the days of a wearable's first identities.
    private static let midnight: Int64 = 1_772_409_600
    /// The errors of quartz and network time on boards.
    private static let driftPPM: Int64 = 20
    private static let clockErrorMilliseconds: UInt32 = 200
    /// The kinds of phone in a mixed test, in turn. The simulator's other kinds would not take part: they
    /// fail on purpose, or do not advertise.
    private static let phoneKinds: [PhoneKind] = [
        .android, .backgroundIPhone, .rotating, .legacy, .renewing, .slow,
    ]

    init(_ options: FormalRun.Options) {
        self.options = options
        world = World(seed: options.seed)
        world.air.propagation = FormalRoom.propagation
        var random = world.random("formal test")
        let startSecond = Self.midnight + Int64(random.below(86_400))
        let start = startSecond + Int64(Self.settingUp.seconds)
        let seconds = max(Int64(options.duration.seconds), FormalTest.windowSeconds)
        // The last second belongs to the last window; one more would begin another window.
        guard let test = FormalTest(startSeconds: start, endSeconds: start + seconds - 1) else {
            preconditionFailure("\(seconds) s are more than none")
        }
        self.test = test
        let places = FormalRoom.places(options.deviceCount, &random)
        for (number, place) in places.enumerated() {
            add(number, at: place, startSecond: startSecond, &random)
        }
        addOthers(beside: places, startSecond: startSecond)
    }

    /// Adds phones of other schemes. They draw from a stream of their own, so that they change nothing for
    /// the devices before.
    private func addOthers(beside places: [Position], startSecond: Int64) {
        var random = world.random("others")
        let places = FormalRoom.places(options.otherCount, beside: places, &random)
        for (number, place) in places.enumerated() {
            let turn = number % (SchemePhoneKind.all.count + 1)
            let (name, route) = ("other \(number)", Route(standingAt: place))
            if turn == SchemePhoneKind.all.count {
                _ = Bystander(name, .exposureNotification, at: route, in: world)
            } else {
                others.append(
                    SchemePhone(
                        name, SchemePhoneKind.all[turn], epochSeconds: UInt64(startSecond), at: route,
                        in: world))
            }
        }
    }

    /// A name of six characters, the number that Herald's script compares.
    private static func name(_ number: Int) -> String { "dev\(100 + number)" }

    private var boardCount: Int {
        switch options.devices {
        case .tabard: options.deviceCount
        case .mixed: options.deviceCount / 2
        case .android1, .android2: 0
        }
    }

    private func add(_ number: Int, at place: Position, startSecond: Int64, _ random: inout RandomStream) {
        let name = Self.name(number)
        switch options.devices {
        case .tabard, .mixed:
            if number < boardCount {
                addBoard(name, at: place, startSecond: startSecond, &random)
            } else {
                let turn = Int(options.seed % UInt64(Self.phoneKinds.count)) + number
                phones.append(
                    SimulatedPhone(
                        name, Self.phoneKinds[turn % Self.phoneKinds.count], at: Route(standingAt: place),
                        in: world))
            }
        case .android1, .android2:
            let isChanging = options.devices == .android1 && number < options.changingCount
            addAndroid(
                HeraldAndroid(
                    name, isChanging ? .newWithEachScan : .known, secondOfZero: startSecond, at: place,
                    in: world))
        }
    }

    private func addAndroid(_ android: HeraldAndroid) {
        let index = androids.count
        androids.append(android)
        contacts.append(FormalObservations())
        android.onContact = { [unowned self] contact in
            contacts[index].append(
                ContactsRow(
                    seconds: contact.second, event: contact.name == nil ? .measure : .read,
                    device: ArraySlice(contact.address), data: ArraySlice(contact.name ?? [])))
        }
    }

    private func addBoard(
        _ name: String, at place: Position, startSecond: Int64, _ random: inout RandomStream
    ) {
        var setup = BoardSetup()
        setup.options = ["agent.role=wearable", "encounters.raw=true"] + options.schemes.settings
        if options.duty != .continuous { setup.options.append(options.duty.setting) }
        if options.schemes == .all { setup.provideSchemes(drawnFrom: world.random("secrets of \(name)")) }
        setup.place = Route(standingAt: place)
        setup.blockByteCount = 4_096
        setup.blocksPerSegment = 64
        setup.segmentCount = options.schemes == .all || options.otherCount > 0 ? 256 : 64
        setup.driftPPM = Int64(random.below(UInt64(2 * Self.driftPPM + 1))) - Self.driftPPM
        let board = SimulatedBoard(name, setup, in: world)
        boards.append(board)
        let error = Int64(random.below(UInt64(2 * Self.clockErrorMilliseconds)))
        world.after(random.duration(upTo: Self.switchingOn)) { [world] in
            board.powerOn()
            let now = startSecond * 1_000 + Int64(world.now.microseconds / 1_000)
            board.clock.setWallClock(
                WallClockTime(clamping: now + error - Int64(Self.clockErrorMilliseconds)),
                errorMilliseconds: Self.clockErrorMilliseconds)
        }
    }

    // MARK: Running

    func run(progress: (Int) -> Void) {
        let end = SimulatedTime.zero + Self.settingUp + options.duration
        var hours = 0
        while world.now < end {
            world.run(until: min(end, .zero + Self.settingUp + .hours(UInt64(hours) + 1)))
            hours += 1
            progress(hours)
        }
        for board in boards { board.stop() }
        world.run(for: .seconds(2))
        logs = boards.map { BoardEncounters(of: $0) }
        precondition(logs.allSatisfy(\.isWhole), "a log has gone round, and lacks its beginning")
    }

    func participants() -> [FormalParticipant] {
        var identities = FormalIdentities()
        for (number, log) in logs.enumerated() { identities.recordOwn(of: log, device: number) }
        for (number, phone) in phones.enumerated() {
            for payload in phone.payloads { identities.record(payload, of: logs.count + number) }
        }
        let boards = zip(names, logs).map { name, log in
            Self.participant(name, "Tabard", log.observations(identities, named: names))
        }
        let unlogged = phones.map {
            FormalParticipant(
                device: Self.device($0.name, $0.kind.name), observations: FormalObservations(),
                observes: false)
        }
        return boards + unlogged + zip(androids, contacts).map { Self.participant($0.name, "Android", $1) }
    }

    private static func participant(
        _ name: String, _ model: String, _ observations: FormalObservations
    ) -> FormalParticipant {
        FormalParticipant(device: device(name, model), observations: observations)
    }

    private static func device(_ name: String, _ model: String) -> FormalDevice {
        FormalDevice(
            name: name, model: model, system: "simulated", systemVersion: "", shortName: name)
    }

    func account(_ outcome: inout FormalRun.Outcome) {
        outcome.collisionCount = world.air.collisionCount
        outcome.encounterCount = logs.reduce(0) { $0 + $1.encounterCount }
        outcome.identifiedEncounterCount = logs.reduce(0) { $0 + $1.identifiedEncounterCount }
        let stations: [Station] = boards.map(\.controller) + phones + others
        outcome.linkByteCount = stations.reduce(0) { $0 + $1.airUse.linkByteCount }
        outcome.advertByteCount = stations.reduce(0) { $0 + $1.airUse.advertByteCount }
        outcome.linkCount = world.air.linkCount
        let scanned = boards.reduce(0.0) { $0 + $1.controller.truth.timeScanned.seconds }
        let seconds = (Self.settingUp + options.duration).seconds * Double(max(boards.count, 1))
        outcome.deviceSeconds =
            (Self.settingUp + options.duration).seconds * Double(options.deviceCount)
        outcome.scanPercent = 100 * scanned / seconds
        outcome.otherReadCount = others.reduce(0) { $0 + $1.readCount }
        outcome.otherServedCount = others.reduce(0) { $0 + $1.servedCount }
        outcome.otherKeptAwakeCount = others.reduce(0) { $0 + $1.keptAwakeCount }
        outcome.violations = boards.flatMap(\.controller.violations) + others.flatMap(\.violations)
        outcome.attemptCount = androids.reduce(0) { $0 + $1.connectionCount }
        outcome.failedAttemptCount = androids.reduce(0) { $0 + $1.failedConnectionCount }
        outcome.scanCount = androids.reduce(0) { $0 + $1.cycleCount }
    }

    func end() { world.end() }
}

extension FormalRun.Schemes {
    /// The boards' settings.
    fileprivate var settings: [String] {
        let schemes = ["sonar", "covid_tracer", "ble_proximity", "exposure_notification"]
        return switch self {
        case .delivered: []
        case .herald: (schemes + ["other"]).map { "schemes.\($0)=off" }
        case .all: schemes.map { "schemes.\($0)=on" }
        }
    }
}

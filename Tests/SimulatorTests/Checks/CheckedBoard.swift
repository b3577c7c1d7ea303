import HCI

@testable import Simulator

/// A board with no faults but those of a test, and the checks that compare it with what it heard.
struct CheckedBoard {
    let world: World
    let board: SimulatedBoard
    let neighbours: Neighbours
    let checker: InvariantChecker

    init(
        worldSeed: UInt64 = 1, options change: (inout RunOptions) -> Void = { _ in },
        setup changeSetup: (inout BoardSetup) -> Void = { _ in }
    ) {
        var options = RunOptions(seed: 1)
        options.world = []
        change(&options)
        var setup = options.boardSetup
        changeSetup(&setup)
        world = World(seed: worldSeed)
        board = SimulatedBoard("board", setup, in: world)
        neighbours = Neighbours(in: world)
        checker = InvariantChecker(
            of: board, host: nil, diary: FaultDiary(of: board.controller, in: world), options: options,
            neighbours: neighbours, in: world)
    }

    var controller: SimulatedController { board.controller }

    func run(_ duration: SimulatedDuration) { world.run(for: duration) }

    /// Brings the board up, beside another phone whose samples keep the log growing.
    func beginBesidePhone() {
        let other = Station("other phone", at: Route(standingAt: Position(1, 0)), in: world)
        other.advertise(
            Advertisement(
                address: .staticRandom(seed: 1), kind: .nonConnectable, data: FieldAdverts.android),
            every: .milliseconds(250))
        board.powerOn()
        run(.seconds(10))
    }

    /// A phone one metre from the board.
    @discardableResult
    func add(_ name: String, _ kind: PhoneKind) -> SimulatedPhone {
        let phone = SimulatedPhone(name, kind, at: Route(standingAt: Position(1, 0)), in: world)
        neighbours.add(phone)
        return phone
    }

    /// Ends the world, and returns what the checks have found.
    @discardableResult
    func end() -> [Violation] {
        checker.end()
        world.end()
        return checker.violations
    }

    /// Lets the encounters end, and returns the number of readings of each in the log.
    func readingsOfEncounters() -> [UInt32] {
        run(.seconds(60))
        return BoardLog(of: board).pages(of: board).flatMap(\.entries).compactMap {
            if case .encounterClosed(let entry) = $0 { entry.readings } else { nil }
        }
    }

    /// A report of an advert, as an H4 packet.
    static func report(of address: DeviceAddress, _ data: [UInt8], rssiDBm: Int8 = -60) -> [UInt8] {
        let report: [UInt8] =
            [2, 1, 3, 1] + address.littleEndianBytes + [UInt8(data.count)] + data
            + [UInt8(bitPattern: rssiDBm)]
        return [4, 0x3e, UInt8(report.count)] + report
    }
}

extension RunOptions {
    /// Makes a log in clear that a test can read after some seconds.
    mutating func logSoon(sampleSeconds: UInt64 = 5) {
        isSealed = false
        lossWindowSeconds = 5
        gapSeconds = 10
        self.sampleSeconds = sampleSeconds
    }
}

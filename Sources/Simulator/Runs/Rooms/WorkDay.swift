import EncounterLog
import FixedMemory
import FlashSimulator
import HCI

/// A working day of somebody who wears a board: colleagues come near for seconds, minutes or hours and leave
/// again, and in between nobody is near. The run compares the board's log with the contacts that there were,
/// and measures what listening costs.
public struct WorkDay: Sendable {
    /// A contact of at least ``contactLength`` and how the board's log has it.
    public struct Contact: Sendable {
        public let seconds: Double
        /// From the arrival to the first reading; nil if the log has no encounter with the phone's identity.
        public let latencySeconds: Double?
    }

    public internal(set) var contacts: [Contact] = []
    /// The percentage of the day for which the receiver was on, in scan windows and connection attempts.
    public internal(set) var listenPercent = 0.0
    /// The same percentage of the scan alone.
    public internal(set) var scanListenPercent = 0.0
    /// That, as the coverage entries of the log state it.
    public internal(set) var statedListenPercent = 0.0
    /// The percentage of the day in coverage entries.
    public internal(set) var coveredPercent = 0.0
    /// The wakes of the agent, for each second of the day.
    public internal(set) var wakesPerSecond = 0.0
    /// The bytes programmed on the medium, for each hour of the day.
    public internal(set) var flashBytesPerHour = 0
    /// The percentage of the day for which the transmitter was on.
    public internal(set) var transmitPercent = 0.0
    /// The faults of the radio in the log; there were none.
    public internal(set) var faultCount = 0
    public let duration: SimulatedDuration

    public static let contactLength = SimulatedDuration.minutes(2)
    private static let shortestStay = SimulatedDuration.seconds(10)
    /// Phones of Herald advertise 4 times a second in the foreground; Android's low-power mode and iPhones in
    /// the background do about once.
    private static let intervals: [SimulatedDuration] = [.milliseconds(250), .seconds(1), .seconds(1)]
    private static let kinds: [PhoneKind] = [.android, .backgroundIPhone, .legacy, .rotating]

    private final class Diary {
        var stays: [(phone: SimulatedPhone, arrival: SimulatedTime, stay: SimulatedDuration)] = []
    }

    /// - Parameter visits: The number of times that somebody comes near.
    public init(
        duty: BoardDuty, visits: Int = 60, hours: UInt64 = 9, seed: UInt64,
        onLine: ((String) -> Void)? = nil, progress: (UInt64) -> Void = { _ in }
    ) {
        duration = .hours(hours)
        let world = World(seed: seed)
        world.air.propagation = FormalRoom.propagation
        var setup = BoardSetup()
        setup.options = ["agent.role=wearable", duty.setting]
        (setup.blockByteCount, setup.blocksPerSegment, setup.segmentCount) = (4_096, 64, 64)
        let board = SimulatedBoard("wearable", setup, in: world)
        board.controller.advertisesUnheard = true
        if let onLine { board.onLine = { onLine("\(world.now.inSeconds) s: \($0)") } }
        board.powerOn()
        board.clock.setWallClock(world.now.wallClock, errorMilliseconds: 100)
        let diary = Diary()
        plan(visits, in: world, diary)
        for hour in 1...hours {
            world.run(until: .zero + .hours(hour))
            progress(hour)
        }
        take(board, diary)
        world.end()
    }

    // MARK: The day

    /// Draws the visits, and some devices of bystanders. The draws are the same for each duty.
    private func plan(_ visits: Int, in world: World, _ diary: Diary) {
        var random = world.random("visits")
        for number in 0..<visits {
            let stay = Self.stay(&random)
            let latest = duration.microseconds - min(stay.microseconds, duration.microseconds / 2)
            let arrival = SimulatedTime.zero + random.duration(upTo: .microseconds(latest))
            var kind = Self.kinds[number % Self.kinds.count]
            kind.advertisingInterval = Self.intervals[Int(random.below(UInt64(Self.intervals.count)))]
            let place = Route(standingAt: Position(0.5 + Double(random.below(31)) / 10, 0))
            world.at(arrival) { [kind] in
                let phone = SimulatedPhone("colleague \(number)", kind, at: place, in: world)
                diary.stays.append((phone, arrival, stay))
                world.after(stay) { phone.leaveForGood() }
            }
            guard number.isMultiple(of: 4) else { continue }
            let bystanders = Bystander.Kind.allCases.filter { $0 != .hostile }
            let device = bystanders[number / 4 % bystanders.count]
            let away = Route(standingAt: Position(4, Double(random.below(40)) / 10))
            world.at(SimulatedTime.zero + random.duration(upTo: .microseconds(latest))) {
                let bystander = Bystander("bystander \(number)", device, at: away, in: world)
                world.after(.minutes(15)) { bystander.leaveForGood() }
            }
        }
    }

    /// A third pass by, a third stay for some minutes, and of the rest a few stay for hours.
    private static func stay(_ random: inout RandomStream) -> SimulatedDuration {
        switch random.below(12) {
        case 0..<4: shortestStay + random.duration(upTo: .seconds(110))
        case 4..<8: .minutes(2) + random.duration(upTo: .minutes(4))
        case 8..<11: .minutes(5) + random.duration(upTo: .minutes(25))
        default: .minutes(30) + random.duration(upTo: .minutes(60))
        }
    }

    // MARK: The log

    private mutating func take(_ board: SimulatedBoard, _ diary: Diary) {
        let truth = board.controller.truth
        listenPercent = 100 * truth.secondsListened / duration.seconds
        scanListenPercent = 100 * truth.secondsListenedInScans / duration.seconds
        wakesPerSecond = Double(board.wakeCount) / duration.seconds
        transmitPercent = 100 * board.controller.airUse.airTime.seconds / duration.seconds
        board.stop()
        board.world.run(for: .seconds(2))
        flashBytesPerHour =
            board.medium.programCount * board.setup.blockByteCount * 3_600 / Int(duration.seconds)
        let coverage = CoverageLog(of: board)
        coveredPercent = percent(coverage.entries) { _ in 1 }
        statedListenPercent = percent(coverage.entries) { entry in
            entry.timing.map { Double($0.windowSlots) / Double($0.intervalSlots) } ?? 0
        }
        for page in BoardLog(of: board).pages(of: board) {
            for case .radio(let entry) in page.entries where entry.event != .assumedEmpty { faultCount += 1 }
        }
        let log = BoardEncounters(of: board)
        let firstReadings = Dictionary(
            log.encounters.values.compactMap { encounter in
                encounter.instants.first.map { (encounter.identity, $0) }
            }, uniquingKeysWith: min)
        for (phone, arrival, stay) in diary.stays where stay >= Self.contactLength {
            let first = phone.payloads.compactMap { firstReadings[$0] }.min()
            contacts.append(
                Contact(
                    seconds: stay.seconds,
                    latencySeconds: first.map { (board.clock.time(of: $0) - arrival).seconds }))
        }
    }

    private func percent(_ entries: [CoverageEntry], _ share: (CoverageEntry) -> Double) -> Double {
        let seconds = entries.reduce(0.0) {
            $0 + Double(($1.end &- $1.start).milliseconds) / 1_000 * share($1)
        }
        return 100 * seconds / duration.seconds
    }
}

import EncounterLog
import FixedMemory
import FlashSimulator
import Schemes

/// A wearable whose clocks are wrong as scripted, for weeks, while no host fetches its log.
///
/// The check: retention erases no segment that is truly younger than the limit, and no day key goes whose
/// day is not truly over. The world knows the true time.
public final class ClockWorld {
    /// One step of a script. Times are days away from the true time.
    public enum Event: Sendable {
        /// The system clock is set. Something that disciplines it states its error.
        case system(days: Int64, isDisciplined: Bool = true)
        /// A host at a dock tells the time.
        case told(days: Int64)
        case pass(hours: Int)
        /// Power fails; the system clock starts at 1970.
        case reboot
        /// The board has no power for some days.
        case off(days: UInt64)
    }

    public struct Script: Sendable {
        public let name: String
        public let events: [Event]
        /// Whether keys and segments must go in the end, because their time is over.
        public let isLong: Bool

        public init(_ name: String, _ events: [Event], isLong: Bool = false) {
            self.name = name
            self.events = events
            self.isLong = isLong
        }
    }

    public struct Outcome: Equatable, Sendable {
        /// Segments that were erased although they were younger than the limit.
        public internal(set) var lostSegments = 0
        /// Keys that were gone before their day was over.
        public internal(set) var lostKeys = 0
        /// Segments that were erased when they were older.
        public internal(set) var expiredSegments = 0
        /// Keys whose day is over for two days, and that the board still has at the end.
        public internal(set) var leftKeys = 0
        public internal(set) var hours = 0

        public var hasLost: Bool { lostSegments > 0 || lostKeys > 0 }
    }

    private static let retentionDays: UInt64 = 28
    /// 2026-11-18, the first day with a key.
    private static let firstDay: UInt32 = 20_775

    private let world: World
    private let board: SimulatedBoard
    private let store = BoardStore()
    /// The true time of the beginning, and the time for which the board was suspended.
    private var start = WallClockTime(milliseconds: UInt64(ClockWorld.firstDay) * 86_400_000 + 36_000_000)
    private var suspended = SimulatedDuration.zero
    /// When a page was last written to each slot, in true time.
    private var lastWritten: [Int: WallClockTime] = [:]
    private var goneKeys: Set<UInt32> = []
    private var outcome = Outcome()

    public static func run(_ script: Script, seed: UInt64 = 1) -> Outcome {
        ClockWorld(seed: seed).run(script)
    }

    private init(seed: UInt64) {
        world = World(seed: seed)
        var setup = BoardSetup()
        setup.options = [
            "agent.role=wearable", "log.retention_days=\(Self.retentionDays)", "log.loss_window_seconds=60",
            "radio.give_up_minutes=0",
        ]
        setup.segmentCount = 1_024
        board = SimulatedBoard("board", setup, in: world)
        board.store = store
        store.heraldSchedule = nil
        let root = Bytes<32>()
        if var job = try? DayKeysJob(
            HeraldKeySchedule(root: root, firstDay: Self.firstDay), firstDay: Self.firstDay,
            dayCount: DayKeys.maximumDayCount),
            let keys = job.advance(hashLimit: .max)
        {
            _ = store.keep(keys)
        }
        let blocksPerSegment = board.medium.geometry.blocksPerSegment
        board.medium.onRequest = { [unowned self] request in
            if case .program(let block, _, _) = request { lastWritten[block / blocksPerSegment] = now }
        }
        board.medium.onOperation = { [unowned self] operation in
            if case .erase(let slot, _) = operation { erased(slot) }
        }
    }

    deinit { world.end() }

    private var now: WallClockTime {
        start + .milliseconds(suspended.milliseconds + world.now.microseconds / 1_000)
    }

    private func run(_ script: Script) -> Outcome {
        board.powerOn()
        for event in script.events {
            switch event {
            case .system(let days, let isDisciplined):
                board.clock.setWallClock(time(days), errorMilliseconds: isDisciplined ? 25 : .max)
            case .told(let days): board.tell(time(days))
            case .pass(let hours): for _ in 0..<hours { passHour() }
            case .reboot: restart(after: .seconds(10))
            case .off(let days): restart(after: .days(days))
            }
            world.run(for: .seconds(3))
            checkKeys()
        }
        let today = UInt32(now.days)
        outcome.leftKeys = (Self.firstDay..<max(Self.firstDay, today - 2)).count { hasKey(of: $0) }
        return outcome
    }

    private func restart(after duration: SimulatedDuration) {
        board.cutPower()
        world.run(for: duration)
        board.powerOn()
    }

    private func time(_ days: Int64) -> WallClockTime {
        WallClockTime(clamping: Int64(now.milliseconds) + days * 86_400_000)
    }

    /// Suspends the board for most of an hour.
    private func passHour() {
        let duration = SimulatedDuration.milliseconds(3_600_000 - 4_000)
        suspended = suspended + duration
        board.suspend(for: duration)
        world.run(for: .seconds(4))
        outcome.hours += 1
        checkKeys()
    }

    private func erased(_ slot: Int) {
        guard let written = lastWritten.removeValue(forKey: slot) else { return }
        if now.interval(since: written) < .days(Self.retentionDays) {
            outcome.lostSegments += 1
        } else {
            outcome.expiredSegments += 1
        }
    }

    private func hasKey(of day: UInt32) -> Bool { store.dayKeys(of: .herald)?.key(of: day) != nil }

    private func checkKeys() {
        let last = Self.firstDay + UInt32(DayKeys.maximumDayCount)
        for day in max(Self.firstDay, UInt32(now.days))..<last where !hasKey(of: day) { goneKeys.insert(day) }
        outcome.lostKeys = goneKeys.count
    }
}

extension ClockWorld {
    /// All that goes wrong with clocks, as far as we know.
    public static let scripts: [Script] = [
        Script(
            "two months stale, then right",
            [
                .system(days: -60, isDisciplined: false), .pass(hours: 400), .told(days: 0),
                .system(days: 0), .pass(hours: 48), .reboot, .system(days: 0), .pass(hours: 3),
                .told(days: 0), .pass(hours: 6),
            ]),
        Script(
            "two months stale by the network, then right",
            [
                .system(days: -60), .pass(hours: 200), .reboot, .system(days: -60), .pass(hours: 24),
                .system(days: 0), .pass(hours: 2), .told(days: 0), .pass(hours: 48),
            ]),
        Script(
            "two months stale by a host, then right",
            [
                .told(days: -60), .pass(hours: 100), .system(days: 0), .pass(hours: 3), .told(days: 0),
                .pass(hours: 48),
            ]),
        Script(
            "forward by 29 days",
            [
                .system(days: 0), .pass(hours: 2), .told(days: 0), .pass(hours: 48), .system(days: 29),
                .pass(hours: 72), .reboot, .system(days: 29), .pass(hours: 48), .system(days: 0),
                .pass(hours: 2), .told(days: 0), .pass(hours: 24),
            ]),
        Script(
            "forward by 300 days",
            [
                .system(days: 300), .pass(hours: 72), .reboot, .system(days: 300), .pass(hours: 48),
                .told(days: 0), .pass(hours: 2), .system(days: 0), .pass(hours: 24),
            ]),
        Script(
            "forward by 300 days by a host",
            [
                .system(days: 0), .pass(hours: 24), .told(days: 300), .pass(hours: 48), .told(days: 0),
                .pass(hours: 24),
            ]),
        Script(
            "backward by 40 days",
            [
                .system(days: 0), .pass(hours: 2), .told(days: 0), .pass(hours: 24), .system(days: -40),
                .pass(hours: 48), .reboot, .system(days: -40), .pass(hours: 24), .system(days: 0),
                .pass(hours: 2), .told(days: 0), .pass(hours: 24), .reboot, .system(days: 0),
                .pass(hours: 2), .told(days: 0), .pass(hours: 24),
            ]),
        Script(
            "a minute of a wrong network time",
            [
                .system(days: 0), .pass(hours: 2), .told(days: 0), .pass(hours: 24), .system(days: 45),
                .system(days: 0), .pass(hours: 24),
            ]),
        Script(
            "1970 and five reboots",
            [
                .pass(hours: 5), .reboot, .pass(hours: 5), .reboot, .pass(hours: 5), .reboot,
                .pass(hours: 5), .reboot, .pass(hours: 5), .reboot, .pass(hours: 5), .system(days: 0),
                .pass(hours: 3), .told(days: 0), .pass(hours: 24),
            ]),
        Script(
            "right for forty days by two sources",
            [.system(days: 0), .pass(hours: 2), .told(days: 0), .pass(hours: 40 * 24)], isLong: true),
        Script(
            "right for forty days by the network alone",
            [.system(days: 0), .pass(hours: 40 * 24)], isLong: true),
        Script(
            "off for forty days, then right by two sources",
            [
                .system(days: 0), .pass(hours: 2), .told(days: 0), .pass(hours: 40), .off(days: 40),
                .system(days: 0), .pass(hours: 2), .told(days: 0), .pass(hours: 40),
            ], isLong: true),
    ]
}

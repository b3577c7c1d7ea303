import EncounterLog
import FixedMemory
import FlashSimulator
import HCI
import Schemes

/// A wearable's busy day, with the whole agent: visitors come and go, read it and are read, write who they are and how near
/// they hear it; a host fetches the log now and then; the agent is killed, and power is cut. What is left is what a thief
/// finds, and what he must not find out.
public struct BusyDay: Sendable {
    /// Whose keys the board had; nil: the log was in clear.
    public struct Keys: Sendable {
        /// Private numbers, 32 bytes big-endian.
        public let board: [UInt8]
        public let opening: [UInt8]
    }

    /// The whole medium.
    public private(set) var image: [UInt8] = []
    /// What a host would fetch.
    public private(set) var segments: [FetchedSegment] = []
    public let geometry: FlashGeometry
    public private(set) var keys: Keys?
    /// Payloads and addresses of everybody, the board's own among them.
    public private(set) var secrets: [[UInt8]] = []
    /// What the board's identities follow from.
    public private(set) var identitySecret: [UInt8] = []
    public private(set) var startCount = 0

    private static let kinds: [PhoneKind] = [.android, .backgroundIPhone, .legacy, .writer, .renewing]
    private static let shortestStay = SimulatedDuration.minutes(2)
    private static let longestStay = SimulatedDuration.minutes(20)
    private static let blockByteCount = 1_024
    private static let blocksPerSegment = 8

    private final class Diary {
        var secrets: Set<[UInt8]> = []

        /// As they are written, and as they are said.
        func note(_ address: DeviceAddress) {
            let bytes = [UInt8](address.bytes.span)
            secrets.formUnion([bytes, bytes.reversed()])
        }
    }

    /// `progress`: called after each hour with its number.
    public init(
        visitors: Int, hours: UInt64, seed: UInt64, isSealed: Bool = true,
        progress: (UInt64) -> Void = { _ in }
    ) {
        let world = World(seed: seed)
        var setup = BoardSetup()
        setup.options = ["agent.role=wearable", "log.loss_window_seconds=10"]
        setup.isSealed = isSealed
        setup.blockByteCount = Self.blockByteCount
        setup.blocksPerSegment = Self.blocksPerSegment
        // Nothing is to be lost to the ring: a page in each window at most, or what fills one.
        setup.segmentCount = Int(hours * 3_600 / 10) / Self.blocksPerSegment + visitors + 64
        let board = SimulatedBoard("wearable", setup, in: world)
        geometry = board.medium.geometry
        let diary = Diary()
        board.observeTraffic { packet, isFromBoard in
            guard isFromBoard, let address = Self.ownAddress(packet) else { return }
            diary.note(address)
        }
        Self.powerOn(board)
        let host = SyncingHost("owner's computer", at: board.line, in: world)
        Self.plan(visitors, SimulatedDuration.hours(hours), in: world, diary)
        let quarter = SimulatedDuration.minutes(hours * 15)
        world.after(quarter) { board.killAgent() }
        world.after(quarter + quarter) {
            board.cutPower()
            world.after(.seconds(30)) { Self.powerOn(board) }
        }
        for hour in 1...hours {
            world.run(until: .zero + .hours(hour))
            progress(hour)
        }
        host.isIdle = true
        board.stop()
        world.run(for: .seconds(2))
        startCount = board.startCount
        keys = board.keys.map {
            Keys(board: [UInt8]($0.boardKeys.boardScalar.span), opening: [UInt8]($0.openingScalar.span))
        }
        identitySecret = board.secret
        image = board.medium.bytes
        segments = FetchedSegment.all(on: board.medium)
        secrets = diary.secrets.sorted { $0.lexicographicallyPrecedes($1) }
        world.end()
    }

    /// It finds a network, which tells the time.
    private static func powerOn(_ board: SimulatedBoard) {
        board.powerOn()
        board.clock.setWallClock(
            milliseconds: board.world.now.wallClockMilliseconds, errorMilliseconds: 100)
    }

    /// Of LE Set Random Address.
    private static func ownAddress(_ packet: [UInt8]) -> DeviceAddress? {
        guard packet.count == 10, OpCode.sent(in: packet) == .leSetRandomAddress else { return nil }
        return DeviceAddress(value: packet.span.extracting(4..<10).loadUInt48(at: 0), isRandom: true)
    }

    private static func plan(
        _ visitors: Int, _ duration: SimulatedDuration, in world: World, _ diary: Diary
    ) {
        var random = world.random("visitors")
        let closing = duration.microseconds - shortestStay.microseconds
        for number in 0..<visitors {
            let arrival = SimulatedTime.zero + random.duration(upTo: .microseconds(closing))
            let stay =
                shortestStay
                + random.duration(
                    upTo: .microseconds(longestStay.microseconds - shortestStay.microseconds))
            let place = Position(Double(random.below(60)) / 10, Double(random.below(60)) / 10)
            world.at(arrival) {
                let phone = SimulatedPhone(
                    "visitor \(number)", kinds[number % kinds.count], at: Route(standingAt: place), in: world)
                world.after(stay) {
                    for address in phone.addresses { diary.note(address) }
                    // What is the same in all of them is no secret.
                    for payload in phone.payloads { diary.secrets.insert(Array(payload.suffix(16))) }
                    for read in phone.boardsRead { diary.secrets.insert(Array(read.payload.suffix(16))) }
                    phone.leaveForGood()
                }
            }
        }
    }
}

import EncounterLog
import FixedMemory
import FlashSimulator
import HCI
import Schemes

/// A busy day of a wearable with the whole agent. Visitors come and go. They read it, are read, and write
/// their identity and signal strength. A host fetches the log now and then; the agent is killed, and power
/// is cut. The result is all that a thief finds, together with the secrets that must not appear in it.
public struct BusyDay: Sendable {
    /// The private keys of the board and its owner; nil if the log was not sealed.
    public struct Keys: Sendable {
        /// Private scalars, 32 bytes big-endian.
        public let board: [UInt8]
        public let ownerKey: [UInt8]
    }

    /// The content of the whole medium.
    public private(set) var image: [UInt8] = []
    /// The segments that a host would fetch.
    public private(set) var segments: [FetchedSegment] = []
    public let geometry: FlashGeometry
    public private(set) var keys: Keys?
    /// The payloads and addresses of all devices, including the board's own.
    public private(set) var secrets: [[UInt8]] = []
    /// The root secret of the board's identities.
    public private(set) var identitySecret: [UInt8] = []
    public private(set) var startCount = 0

    private static let kinds: [PhoneKind] = [.android, .backgroundIPhone, .legacy, .writer, .renewing]
    private static let shortestStay = SimulatedDuration.minutes(2)
    private static let longestStay = SimulatedDuration.minutes(20)
    private static let blockByteCount = 1_024
    private static let blocksPerSegment = 8

    private final class Diary {
        var secrets: Set<[UInt8]> = []

        /// Records an address in both byte orders: as stored and as printed.
        func record(_ address: DeviceAddress) {
            let bytes = [UInt8](address.bytes.span)
            secrets.formUnion([bytes, bytes.reversed()])
        }
    }

    /// - Parameter progress: Called after each hour with its number.
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
        // The ring must not wrap. Each loss window writes at most one page, apart from pages that fill up
        // earlier.
        setup.segmentCount = Int(hours * 3_600 / 10) / Self.blocksPerSegment + visitors + 64
        let board = SimulatedBoard("wearable", setup, in: world)
        geometry = board.medium.geometry
        let diary = Diary()
        board.observeTraffic { packet, isFromBoard in
            guard isFromBoard, let address = Self.ownAddress(packet) else { return }
            diary.record(address)
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
            Keys(board: [UInt8]($0.boardKeys.boardScalar.span), ownerKey: [UInt8]($0.ownerScalar.span))
        }
        identitySecret = board.secret
        image = board.medium.bytes
        segments = FetchedSegment.all(on: board.medium)
        secrets = diary.secrets.sorted { $0.lexicographicallyPrecedes($1) }
        world.end()
    }

    /// Powers the board on. It finds a network, which provides the time.
    private static func powerOn(_ board: SimulatedBoard) {
        board.powerOn()
        board.clock.setWallClock(board.world.now.wallClock, errorMilliseconds: 100)
    }

    /// The address set by LE Set Random Address; nil for other packets.
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
                    for address in phone.addresses { diary.record(address) }
                    // Payloads share their beginning, so only the last 16 bytes are secret.
                    for payload in phone.payloads { diary.secrets.insert(Array(payload.suffix(16))) }
                    for read in phone.boardsRead { diary.secrets.insert(Array(read.payload.suffix(16))) }
                    phone.leaveForGood()
                }
            }
        }
    }
}

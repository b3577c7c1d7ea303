import FlashSimulator
import HCI

/// Herald's own app on an Android phone, as far as a formal test needs it. It is the control: the same room
/// with the same rules must give figures like the published ones.
///
/// The app scans for 4 s and rests for 1 s. Then it connects to each device that it does not know yet, one
/// after the other, for up to 60 s. It pauses for at least 2 s and starts again; its timer ticks once a
/// second. It receives only during the 4 s. The duration of a connection is drawn from measurements of the
/// Herald project. A connection needs the device to be present under the received address, and times out
/// after 8 s. The links themselves are not simulated, only their duration.
///
/// Sources: the constants and histogram of Herald for Android's `ConcreteBLEReceiver`.
public final class HeraldAndroid: Station {
    /// The behaviour of the phone's address.
    public enum Addresses: Sendable {
        /// A new address for each scan, as on some phones, and nothing else to recognise the phone by:
        /// Herald 1.0.
        case newWithEachScan
        /// An address that is as good as fixed, thanks to a pseudo device address: from Herald 1.1 on.
        case known
    }

    /// One row of the app's contact log.
    public struct Contact: Sendable {
        /// The time by the common clock.
        public let second: Int64
        public let address: [UInt8]
        /// The ``HeraldAndroid/name`` of the device whose payload was read; nil for a measurement.
        public let name: [UInt8]?
    }

    /// Handles each row of the contact log as the app writes it.
    public var onContact: (Contact) -> Void = { _ in }
    public private(set) var connectionCount: UInt64 = 0
    public private(set) var failedConnectionCount: UInt64 = 0
    public private(set) var cycleCount: UInt64 = 0

    private let addresses: Addresses
    private let secondOfZero: Int64
    private var random: RandomStream
    /// The devices of the last scan, in the order of their discovery.
    private var discovered: [Discovery] = []
    /// When each device with a known payload was last heard, by address.
    private var known: [UInt64: SimulatedTime] = [:]
    private var lastLogged: [UInt64: Int64] = [:]
    private var processingStart = SimulatedTime.zero
    private var processedCount: UInt64 = 0

    private struct Discovery {
        let address: DeviceAddress
        unowned let station: Station
    }

    private enum AndroidAlarm {
        static let startScan = Station.Alarm.first
        static let stopScan = Station.Alarm.first + 1
        static let process = Station.Alarm.first + 2
        static let attemptEnds = Station.Alarm.first + 3
    }

    static let scan = SimulatedDuration.seconds(4)
    static let rest = SimulatedDuration.seconds(1)
    static let longestProcessing = SimulatedDuration.seconds(60)
    static let pause = SimulatedDuration.seconds(2)
    static let tick = SimulatedDuration.seconds(1)
    static let connectTimeout = SimulatedDuration.seconds(8)
    /// The distribution of 34,394 connections, in per mille: connected within 1 s, 2 s, and so on.
    static let connectedWithin: [UInt64] = [584, 892, 961, 981, 990, 997, 998, 999]
    /// Flags, service, and manufacturer data of 6 bytes.
    static let advert: [UInt8] =
        [2, 1, 2, 3, 3, 0xf6, 0xfc, 9, 0xff, 0xf1, 0x05] + [UInt8](repeating: 0x5a, count: 6)
    /// The duration of a link after it is made. Services, characteristics and descriptors are discovered
    /// one by one. The payload of 129 bytes is then read at the smallest MTU. Each request and its answer
    /// take two connection events of 30 ms. The app notices the end at the next half second.
    static let linkTime = SimulatedDuration.milliseconds(1_500)

    /// - Parameter secondOfZero: The common clock's time when the world begins, in seconds.
    public init(
        _ name: String, _ addresses: Addresses, secondOfZero: Int64, at place: Position, in world: World
    ) {
        self.addresses = addresses
        self.secondOfZero = secondOfZero
        random = world.random("Herald on Android \(name)")
        super.init(name, at: Route(standingAt: place), in: world)
        setAlarm(AndroidAlarm.startScan, at: world.now + random.duration(upTo: .seconds(10)))
        renewAddress()
    }

    override var hearsOnlyBoards: Bool { false }
    /// Other stations of this kind must hear it although it is not a board.
    override var isBoard: Bool { true }

    override func wake(_ alarm: UInt32) {
        switch alarm {
        case AndroidAlarm.startScan: startScan()
        case AndroidAlarm.stopScan:
            scanning = nil
            setAlarm(AndroidAlarm.process, at: world.now + Self.rest)
        case AndroidAlarm.process:
            processingStart = world.now
            processedCount = 0
            forgetTheExpired()
            processNext()
        case AndroidAlarm.attemptEnds: processNext()
        default: super.wake(alarm)
        }
    }

    // MARK: Scanning

    private func startScan() {
        cycleCount += 1
        discovered = []
        if addresses == .newWithEachScan { renewAddress() }
        // SCAN_MODE_LOW_LATENCY: a continuous scan, 4,096 ms per channel.
        scanning = Scanning(
            interval: .milliseconds(4_096), window: .milliseconds(4_096), start: world.now, wanted: nil)
        setAlarm(AndroidAlarm.stopScan, at: world.now + Self.scan)
    }

    private func renewAddress() {
        let address = DeviceAddress.privateRandom(seed: random.next())
        advertise(
            Advertisement(address: address, data: Self.advert), every: FormalRoom.advertisingInterval)
    }

    override func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {
        let address = advertisement.address
        if !discovered.contains(where: { $0.address == address }) {
            discovered.append(Discovery(address: address, station: sender))
        }
        if known[address.value] != nil { known[address.value] = world.now }
        log(address)
    }

    /// Drops devices that were not heard for 15 minutes. The app counts them as new when they come again.
    private func forgetTheExpired() {
        for (address, time) in known.sorted(by: { $0.key < $1.key })
        where world.now - time > .minutes(15) { known[address] = nil }
    }

    // MARK: Processing

    /// Connects to the next device if there is time for one more. The estimate is the mean duration of
    /// those before.
    private func processNext() {
        let elapsed = (world.now - processingStart).microseconds
        let predicted = processedCount > 0 ? elapsed / processedCount * (processedCount + 1) : elapsed
        while !discovered.isEmpty, predicted < Self.longestProcessing.microseconds {
            let device = discovered.removeFirst()
            guard known[device.address.value] == nil else { continue }
            processedCount += 1
            return connect(to: device)
        }
        // The next scan starts at the first tick after the pause.
        let earliest = world.now + Self.pause
        let tick = Self.tick.microseconds
        setAlarm(
            AndroidAlarm.startScan,
            at: SimulatedTime(microseconds: (earliest.microseconds + tick - 1) / tick * tick))
    }

    private func connect(to device: Discovery) {
        connectionCount += 1
        let draw = random.below(1_000)
        let second = Self.connectedWithin.firstIndex { draw < $0 }
        let isThere =
            device.station.advertisement?.address == device.address
            && air.reaches(self, device.station) && air.reaches(device.station, self)
        guard let second, isThere else {
            failedConnectionCount += 1
            return setAlarm(AndroidAlarm.attemptEnds, at: world.now + Self.connectTimeout)
        }
        let connecting = SimulatedDuration.seconds(UInt64(second)) + random.duration(upTo: .seconds(1))
        known[device.address.value] = world.now
        log(device.address, name: Array(device.station.name.utf8))
        setAlarm(AndroidAlarm.attemptEnds, at: world.now + connecting + Self.linkTime)
    }

    // MARK: The log

    private func log(_ address: DeviceAddress, name: [UInt8]? = nil) {
        let second = secondOfZero + Int64(world.now.microseconds / 1_000_000)
        if name == nil, lastLogged[address.value] == second { return }
        lastLogged[address.value] = second
        onContact(Contact(second: second, address: address.littleEndianBytes, name: name))
    }
}

import Agent
import EncounterLog
import FixedMemory
import Schemes
import TestSupport

@testable import Radio

/// A simulated board. The test sets its time, and can inspect all that it holds.
final class World {
    var now: UInt64 = 50_000
    var wallClock: WallClockReading?
    /// The offset of a running wall clock from monotonic time, in milliseconds. If nil, there is none.
    var wallOffset: UInt64?
    var wallErrorMilliseconds: UInt32 = 25
    var isStopRequested = false
    var notices: [AgentNotice] = []
    /// The refusals to store data from the cable, in order.
    var refusals: [StoreRefusal] = []
    var hasPowerHook = false
    /// The number of further power-on requests that fail.
    var vainPowerOns = 0
    /// The keys on the board's medium. If nil, the board accepts every command from any client.
    var keys: BoardKeys?
    /// The Sonar registration on the board's medium.
    var sonarRegistration: SonarRegistration?
    /// The schedule of the provisioned day keys; nil if there are none. Herald's secret is all zeros.
    var heraldSchedule: HeraldKeySchedule? = HeraldKeySchedule(
        secret: [UInt8](repeating: 0, count: 2048).span, epochDay: 20_454)
    var covidTracerRoot: CovidTracerRootKey?
    /// The stored day keys, made by the board or set over the cable, as records by scheme.
    var dayKeyRecords: [SchemeID: [UInt8]] = [:]
    var sonarRecord: [UInt8] = []
    var keepsSecrets = true
    /// The configuration changes set over the cable, as on the board's medium.
    var configurationChanges: [UInt8] = []
    var keepsConfiguration = true
    var skippedByteCount: UInt64 = 0
    /// The number of advertising reports that the agent has read.
    var reportsTaken = 0
    /// The actions on the radio, in order: "close", "off", "on", "open".
    var radioHistory: [String] = []
    let controller = TestController()
    let port = TestPort()
    let medium: TestMedium

    init(medium: TestMedium = TestMedium()) { self.medium = medium }

    func dayKeys(of scheme: SchemeID) -> DayKeys? {
        dayKeyRecords[scheme].flatMap { try? DayKeys(record: $0.span) }
    }

    func provisionedKey(of scheme: SchemeID, on day: UInt32) -> Bytes<32>? {
        switch scheme {
        case .herald: try? heraldSchedule?.matchingKey(ofDay: day).key
        case .covidTracer:
            try? covidTracerRoot?.dailyKey(of: CalendarDate(daysSince1970: day)).bytes
        case .sonar, .bleProximity, .exposureNotification, .robert, .dp3t, .tcn: nil
        }
    }
}

enum TestPlatform: Platform {
    typealias Clock = TestClock
    typealias Radio = TestRadio
    typealias Flash = TestFlash
    typealias Serial = TestSerial
    typealias Randomness = TestRandom
    typealias Board = TestBoard
}

struct TestClock: AgentClock {
    let world: World
    var monotonicMilliseconds: UInt64 { world.now }
    var wallClock: WallClockReading? {
        guard let offset = world.wallOffset else { return world.wallClock }
        return WallClockReading(
            milliseconds: world.now &+ offset, errorMilliseconds: world.wallErrorMilliseconds)
    }
}

struct TestRandom: RandomSource {
    var generator = SeededGenerator(seed: 1)
    mutating func next() -> UInt64 { generator.next() }
}

struct TestBoard: BoardControl {
    let world: World
    var isStopRequested: Bool { world.isStopRequested }
    mutating func setRadioPower(_ isOn: Bool) -> Bool {
        guard world.hasPowerHook else { return false }
        world.radioHistory.append(isOn ? "on" : "off")
        if isOn, world.vainPowerOns > 0 {
            world.vainPowerOns -= 1
            return false
        }
        if isOn { world.controller.hostDid(.powerCycle) }
        return true
    }
    mutating func store(_ keys: BoardKeys) -> Bool {
        world.keys = keys
        return true
    }
    mutating func store(configuration changes: Span<UInt8>) -> Bool {
        guard world.keepsConfiguration else { return false }
        world.configurationChanges = changes.array
        return true
    }
    mutating func store(_ keys: DayKeys) -> Bool {
        guard world.keepsSecrets else { return false }
        let all = world.dayKeys(of: keys.scheme)?.joined(by: keys) ?? keys
        world.dayKeyRecords[keys.scheme] = all.record.span.array
        return true
    }
    mutating func store(sonarRegistration record: Span<UInt8>) -> Bool {
        guard world.keepsSecrets else { return false }
        world.sonarRecord = record.array
        return true
    }
    mutating func dayKey(of scheme: SchemeID, on day: UInt32) -> DayKeyOffer? {
        if let key = world.provisionedKey(of: scheme, on: day) {
            var offer = DayKeyOffer()
            offer.key = key
            offer.dayCount = DayKeys.maximumDayCount
            return offer
        }
        guard var keys = world.dayKeys(of: scheme) else { return DayKeyOffer() }
        if keys.drop(before: day) {
            guard world.keepsSecrets else { return nil }
            world.dayKeyRecords[scheme] = keys.record.span.array
        }
        return keys.offer(on: day)
    }
    mutating func report(_ notice: AgentNotice) { world.notices.append(notice) }
    func explain(_ refusal: StoreRefusal, to reason: inout FixedBuffer<1024>) {
        world.refusals.append(refusal)
        if case .configuration(let error) = refusal { try? error.write(to: &reason) }
    }
}

struct TestRadio: PacketRadio, ~Copyable {
    let world: World
    var controller: TestController { world.controller }
    private var current: FixedBuffer<1100> = FixedBuffer()

    init(_ world: World) { self.world = world }

    mutating func receive() throws(RadioError) -> Bool {
        if controller.isTransportBroken { throw .gone }
        guard !controller.toHost.isEmpty else { return false }
        let packet = controller.toHost.removeFirst()
        if packet.starts(with: [4, 0x3e]), packet.count > 3,
            packet[3] == 2 || packet[3] == 0x0d
        {
            world.reportsTaken += 1
        }
        current = FixedBuffer(packet.span) ?? FixedBuffer()
        return true
    }

    var packet: Span<UInt8> { @_lifetime(borrow self) get { current.span } }

    mutating func close() { world.radioHistory.append("close") }

    var skippedByteCount: UInt64 { world.skippedByteCount }

    var isReadyToSend: Bool { mutating get { !controller.isTransportBroken } }

    mutating func send(_ packet: Span<UInt8>) throws(RadioError) { controller.receive(packet.array) }

    mutating func reopen() throws(RadioError) {
        controller.reopenCount += 1
        if controller.isTransportBroken { throw .system(19) }
        world.radioHistory.append("open")
        controller.toHost = []
        controller.hostDid(.reopen)
    }
}

/// The host's end of the sync line.
final class TestPort {
    var isOpen = true
    var toBoard: [UInt8] = []
    var fromBoard: [UInt8] = []
    /// The number of bytes that the line takes at once.
    var acceptance = Int.max
}

struct TestSerial: SerialPort, ~Copyable {
    let port: TestPort

    var isOpen: Bool { port.isOpen }

    mutating func read(into buffer: inout FixedBuffer<512>) {
        let part = port.toBoard.prefix(buffer.freeCount)
        try? buffer.append(Array(part).span)
        port.toBoard.removeFirst(part.count)
    }

    mutating func write(_ bytes: Span<UInt8>) -> Int {
        let part = bytes.array.prefix(port.acceptance)
        port.fromBoard += part
        return part.count
    }
}

/// The content of a flash device. It outlives the agent that writes to it.
final class TestMedium {
    let geometry: FlashGeometry
    var bytes: [UInt8] = []
    var programCount = 0
    var isBroken = false

    init(blockByteCount: Int = 1024) {
        guard
            let geometry = FlashGeometry(
                blockByteCount: blockByteCount, blocksPerSegment: 8, segmentCount: 32)
        else {
            preconditionFailure("a geometry like others")
        }
        self.geometry = geometry
        bytes = Array(repeating: 0xff, count: geometry.byteCount)
    }
}

struct TestFlash: FlashDevice {
    let medium: TestMedium
    var geometry: FlashGeometry { medium.geometry }

    func read(block: Int, offset: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        let start = block * geometry.blockByteCount + offset
        for index in destination.indices { destination[index] = medium.bytes[start + index] }
    }

    func program(block: Int, offset: Int, from bytes: Span<UInt8>) throws(FlashError) {
        if medium.isBroken { throw FlashError(.program, code: 5) }
        medium.programCount += 1
        let start = block * geometry.blockByteCount + offset
        for index in bytes.indices { medium.bytes[start + index] = bytes[index] }
    }

    func erase(segment: Int) throws(FlashError) {
        if medium.isBroken { throw FlashError(.erase, code: 5) }
        let start = segment * geometry.segmentByteCount
        for index in start..<start + geometry.segmentByteCount { medium.bytes[index] = 0xff }
    }

    func sync() throws(FlashError) {}
}

extension TestMedium {
    /// All entries committed so far, oldest first.
    var entries: [LogEntry] {
        entries(for: [])
    }

    /// The entries that the owners of these keys can read.
    func entries(for keys: [OwnerKeyPair]) -> [LogEntry] {
        ReadPages.pages(ofMedium: bytes, geometry: geometry, keys: keys).flatMap(\.entries)
    }

    var pages: [ReadPages.Page] { ReadPages.pages(ofMedium: bytes, geometry: geometry) }

    var lastPage: ReadPages.Page? { pages.last }
}

extension Span where Element == UInt8 {
    var array: [UInt8] { indices.map { self[$0] } }
}

import Agent
import AgentText
import Cryptography
import EncounterLog
import FixedMemory
import HCI
import Radio
import Schemes
import TestSupport

/// A board whose controller sends the packets that the input determines.
final class FuzzWorld {
    var now: Instant = 50_000
    /// The difference between the wall clock and `now`; nil until the clock has been set.
    var wallClockOffset: ClockOffset?
    let entropy = FuzzEntropy()
    var isStopRequested = false
    /// The packets on their way to the agent.
    var toHost: [[UInt8]] = []
    var isTransportBroken = false
    var toBoard: [UInt8] = []
    var flash: [UInt8]
    /// The command that has not been answered yet.
    private(set) var pending: UInt16?
    /// Whether an answer may have arrived that this model did not send.
    var hasForgedAnswers = false
    private(set) var violation: String?
    let geometry: FlashGeometry

    init?() {
        guard let geometry = FlashGeometry(blockByteCount: 1024, blocksPerSegment: 4, segmentCount: 4) else {
            return nil
        }
        self.geometry = geometry
        flash = Array(repeating: 0xff, count: geometry.byteCount)
    }

    func receive(_ packet: [UInt8]) {
        switch packet.first {
        case 1 where packet.count >= 4 && Int(packet[3]) == packet.count - 4:
            let opCode = UInt16(packet[1]) | UInt16(packet[2]) << 8
            // A reset may come at any time, because the agent no longer waits for the pending answer.
            if pending != nil, opCode != OpCode.reset.rawValue, !hasForgedAnswers {
                record("a command while another is pending")
            }
            hasForgedAnswers = false
            pending = opCode
        case 2 where packet.count >= 5 && Int(packet[3]) | Int(packet[4]) << 8 == packet.count - 5: break
        default: record("a packet that is none")
        }
    }

    func record(_ text: String) { violation = violation ?? text }

    /// Answers the pending command, if any, as a working controller does.
    func answer(status: UInt8 = 0) {
        guard let opCode = pending else { return }
        pending = nil
        let code = [UInt8(opCode & 255), UInt8(opCode >> 8)]
        switch OpCode(rawValue: opCode) {
        case .leCreateConnection, .disconnect, .leConnectionUpdate: event(0x0f, [status, 1] + code)
        default: event(0x0e, [1] + code + [status] + (status == 0 ? Self.returned(opCode) : []))
        }
    }

    private static func returned(_ opCode: UInt16) -> [UInt8] {
        switch OpCode(rawValue: opCode) {
        case .readLocalVersion: [9, 0, 0, 9, 15, 0, 0, 0]
        case .readDeviceAddress: [0x66, 0x55, 0x44, 0x33, 0x22, 0x11]
        case .readLocalSupportedCommands: Array(repeating: 0xff, count: 64)
        case .leReadLocalFeatures: Array(repeating: 0, count: 8)
        case .leReadBufferSize: [27, 0, 3]
        default: []
        }
    }

    func event(_ code: UInt8, _ parameters: [UInt8]) {
        if code == 0x0e || code == 0x0f { hasForgedAnswers = hasForgedAnswers || pending != nil }
        let parameters = parameters.prefix(255)
        toHost.append([4, code, UInt8(parameters.count)] + parameters)
    }
}

enum FuzzPlatform: Platform {
    typealias Clock = FuzzClock
    typealias Radio = FuzzRadio
    typealias Flash = FuzzFlash
    typealias Serial = FuzzSerial
    typealias Randomness = FuzzRandom
    typealias Board = FuzzBoard
}

struct FuzzClock: AgentClock {
    let world: FuzzWorld
    var now: Instant { world.now }
    var wallClock: WallClockReading? {
        world.wallClockOffset.map { WallClockReading(time: world.now + $0, errorMilliseconds: 1000) }
    }
}

struct FuzzRandom: RandomSource {
    let world: FuzzWorld
    private var generator = SeededGenerator(seed: 1)

    init(world: FuzzWorld) { self.world = world }

    mutating func next() -> UInt64 { generator.next() }
    var entropy: Entropy { world.entropy.entropy }
}

struct FuzzBoard: BoardControl {
    let world: FuzzWorld
    var isStopRequested: Bool { world.isStopRequested }
    /// Every day has a key.
    mutating func dayKey(of scheme: SchemeID, on day: UInt32) -> DayKeyOffer? {
        var key = Bytes<32>()
        for index in 0..<4 { key[index] = UInt8(truncatingIfNeeded: day >> UInt32(8 * index)) }
        var offer = DayKeyOffer()
        offer.key = key
        offer.dayCount = 14
        return offer
    }

    mutating func setRadioPower(_ isOn: Bool) -> Bool { world.now.milliseconds.isMultiple(of: 2) }
    mutating func report(_ notice: AgentNotice) {
        var line = FixedBuffer<512>()
        try? notice.write(to: &line)
        for index in 0..<line.count where line[index] < 0x20 || line[index] > 0x7e {
            world.record("a line with byte \(line[index]) in it")
        }
    }
    func explain(_ refusal: StoreRefusal, to reason: inout FixedBuffer<1024>) {
        try? refusal.write(to: &reason)
    }
}

struct FuzzRadio: PacketRadio, ~Copyable {
    let world: FuzzWorld
    private var current = FixedBuffer<1100>()

    init(_ world: FuzzWorld) { self.world = world }

    mutating func receive() throws(RadioError) -> Bool {
        if world.isTransportBroken { throw .gone }
        guard !world.toHost.isEmpty else { return false }
        let packet = world.toHost.removeFirst()
        current = FixedBuffer(packet.span) ?? FixedBuffer()
        return true
    }

    var packet: Span<UInt8> { @_lifetime(borrow self) get { current.span } }
    var isReadyToSend: Bool { mutating get { !world.isTransportBroken } }
    var skippedByteCount: UInt64 { 0 }

    mutating func send(_ packet: Span<UInt8>) throws(RadioError) { world.receive(packet.array) }

    mutating func reopen() throws(RadioError) {
        if world.isTransportBroken { throw .system(19) }
        world.toHost = []
    }

    mutating func close() {}
}

struct FuzzSerial: SerialPort, ~Copyable {
    let world: FuzzWorld
    var isOpen: Bool { true }

    mutating func read(into buffer: inout FixedBuffer<512>) {
        let part = Array(world.toBoard.prefix(buffer.freeCount))
        try? buffer.append(part.span)
        world.toBoard.removeFirst(part.count)
    }

    mutating func write(_ bytes: Span<UInt8>) -> Int { bytes.count }
}

struct FuzzFlash: FlashDevice {
    let world: FuzzWorld
    var geometry: FlashGeometry { world.geometry }

    func read(block: Int, offset: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        let start = block * geometry.blockByteCount + offset
        for index in destination.indices { destination[index] = world.flash[start + index] }
    }

    func program(block: Int, offset: Int, from bytes: Span<UInt8>) throws(FlashError) {
        let start = block * geometry.blockByteCount + offset
        for index in bytes.indices { world.flash[start + index] = bytes[index] }
    }

    func erase(segment: Int) throws(FlashError) {
        let start = segment * geometry.segmentByteCount
        for index in start..<start + geometry.segmentByteCount { world.flash[index] = 0xff }
    }

    func sync() throws(FlashError) {}
}

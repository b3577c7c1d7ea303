import DeviceSync
import FixedMemory

/// Files and a clock in memory, for tests.
struct MemoryStore: SyncStore, ~Copyable {
    var files: [String: [UInt8]] = [:]
    var wallClock: WallClockTime?
    var clockErrorMilliseconds: UInt32?
    var isClockRefused = false
    private(set) var clockMoment: BoardMoment?
    var status = BoardStatus()
    var publicKeys: BoardPublicKeys?
    /// The time that the board needs for an answer.
    var turnaround = Interval.zero
    /// The maximum number of bytes that one read returns.
    var readLimit = Int.max
    private(set) var largestRead = 0
    private(set) var readCount = 0
    private(set) var preparedPaths: [String] = []

    init(files: [String: [UInt8]] = [:]) { self.files = files }

    mutating func prepare(path: Span<UInt8>, log: inout Void) { preparedPaths.append(text(path)) }

    mutating func fileByteCount(path: Span<UInt8>, log: inout Void) throws(SyncStoreError) -> UInt64 {
        guard let file = files[text(path)] else { throw .fileNotFound }
        return UInt64(file.count)
    }

    mutating func readFile(
        path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>, log: inout Void
    ) throws(SyncStoreError) -> Int {
        guard let file = files[text(path)] else { throw .fileNotFound }
        guard offset <= file.count else { throw .readFailed }
        let count = min(bytes.count, file.count - Int(offset), readLimit)
        for index in 0..<count { bytes[index] = file[Int(offset) + index] }
        largestRead = max(largestRead, bytes.count)
        readCount += 1
        return count
    }

    mutating func setWallClock(_ setting: WallClockSetting, log: inout Void) throws(SyncStoreError) {
        guard !isClockRefused else { throw .clockRefused }
        wallClock = setting.time
        clockErrorMilliseconds = setting.errorMilliseconds
        clockMoment = setting.moment
    }

    var now: Instant { status.instant + turnaround }
}

func text(_ bytes: Span<UInt8>) -> String { String(decoding: array(bytes), as: UTF8.self) }

func array(_ bytes: Span<UInt8>) -> [UInt8] { bytes.indices.map { bytes[$0] } }

/// Returns the bytes on the line for a packet.
func line(_ packet: [UInt8]) throws -> [UInt8] {
    var buffer = FixedBuffer<4096>()
    try SerialFrameEncoder.encode(packet.span, into: &buffer)
    return array(buffer.span)
}

func line(_ packet: SMPPacket) throws -> [UInt8] { try line(array(packet.span)) }

/// Returns all frames in bytes that arrive at once.
func frames(in bytes: [UInt8]) -> [[UInt8]] {
    var decoder = SerialFrameDecoder<2050>()
    var frames: [[UInt8]] = []
    var position = 0
    while decoder.receive(bytes.span, position: &position) { frames.append(array(decoder.frame)) }
    return frames
}

/// A client and a server connected directly, without a serial line.
struct Conversation: ~Copyable {
    var server: SyncServer
    var store: MemoryStore
    /// The store keeps its files itself.
    private var log: Void = ()

    init(_ store: consuming MemoryStore, packetByteCount: Int = 2048) {
        self.store = store
        server = SyncServer(packetByteCount: packetByteCount)
    }

    /// Sends bytes, lets the server finish, and returns the packets that it answered.
    mutating func send(_ bytes: [UInt8]) -> [[UInt8]] {
        server.receive(bytes.span, store: &store, log: &log)
        var steps = 0
        while server.hasWork, steps < 10_000 {
            server.step(store: &store, log: &log)
            steps += 1
        }
        return takeAnswers()
    }

    /// Sends a packet without taking the answer.
    mutating func begin(_ packet: SMPPacket) throws {
        let bytes = try line(packet)
        server.receive(bytes.span, store: &store, log: &log)
    }

    mutating func step() { server.step(store: &store, log: &log) }

    mutating func takeAnswers() -> [[UInt8]] {
        let output = array(server.output)
        server.drain(output.count)
        return frames(in: output)
    }

    /// Sends a packet and returns its only answer.
    mutating func ask(_ packet: SMPPacket) throws -> [UInt8] {
        let answers = send(try line(packet))
        guard answers.count == 1, let answer = answers.first else {
            throw NoSingleAnswer(count: answers.count)
        }
        return answer
    }
}

struct NoSingleAnswer: Error {
    let count: Int
}

import Archive
import BoardLink
import DeviceSync
import FixedMemory
import TestSupport
import Testing

@testable import Sync

/// Clock samples of a board over a line with random delays.
@Suite struct ClockReaderTests {
    /// 2026-09-21, in microseconds.
    static let wallClock: Int64 = 1_790_000_000_000_000

    @Test(arguments: [UInt64(1), 2, 3])
    func `a clock sample differs from the board's clock by at most its error`(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var errors: [Interval] = []
        for _ in 0..<60 {
            let line = DelayLine(generator: generator)
            line.longestDelayMicroseconds = UInt64.random(in: 1...200_000, using: &generator)
            line.longestTurnaroundMicroseconds = UInt64.random(in: 1...30_000, using: &generator)
            let reading = try #require(try ClockReader(client: line.client()).read())
            #expect(reading.boot == 7 && reading.canTellMoment)
            let error = reading.anchor.error
            #expect(line.distanceMicroseconds(of: reading.anchor) <= Int64(error.milliseconds) * 1_000)
            errors.append(error)
            _ = generator.next()
        }
        // The delays are 50 ms on average each way; the best of eight exchanges has a fraction of that.
        #expect(errors.sorted()[errors.count / 2] < 50)
    }

    @Test func `over a line without delay a clock sample is right within two milliseconds`() throws {
        let line = DelayLine(generator: SeededGenerator(seed: 5))
        line.longestDelayMicroseconds = 300
        line.longestTurnaroundMicroseconds = 20_000
        let reading = try #require(try ClockReader(client: line.client()).read())
        #expect(reading.anchor.error <= 2)
        #expect(line.exchangeCount == ClockReader.exchangeCount)
    }

    @Test func `a board without the time command reports its clock with its status`() throws {
        let line = DelayLine(generator: SeededGenerator(seed: 6))
        line.longestDelayMicroseconds = 4_000
        line.lacksTime = true
        let reading = try #require(try ClockReader(client: line.client()).read())
        #expect(!reading.canTellMoment)
        let error = reading.anchor.error
        #expect(line.distanceMicroseconds(of: reading.anchor) <= Int64(error.milliseconds) * 1_000)
        #expect(error <= 20)
    }

    @Test func `a host whose clock is changed during the exchange has no clock sample`() throws {
        let line = DelayLine(generator: SeededGenerator(seed: 7))
        line.stepMicroseconds = 3_600_000_000
        #expect(try ClockReader(client: line.client()).read() == nil)
    }

    /// Its round trip is the least of all, so it would count.
    @Test func `an answer of an earlier session that the line has held back is not believed`() throws {
        let line = DelayLine(generator: SeededGenerator(seed: 10))
        line.longestDelayMicroseconds = 50_000
        line.oldAnswer = 4
        let reading = try #require(try ClockReader(client: line.client()).read())
        #expect(
            line.distanceMicroseconds(of: reading.anchor) <= Int64(reading.anchor.error.milliseconds) * 1_000)
    }

    @Test func `a host whose clock was never set has no clock sample`() throws {
        let line = DelayLine(generator: SeededGenerator(seed: 8))
        line.wallOffsetMicroseconds = 0
        #expect(try ClockReader(client: line.client()).read() == nil)
    }

    @Test func `the error of the host's own clock is part of the clock sample's error`() throws {
        let line = DelayLine(generator: SeededGenerator(seed: 9))
        line.longestDelayMicroseconds = 300
        line.hostError = 40
        let reading = try #require(try ClockReader(client: line.client()).read())
        #expect((41...42).contains(reading.anchor.error.milliseconds))
    }
}

/// A line that delays each request and answer by a random time, to a board with a random processing time.
private final class DelayLine: ByteChannel, @unchecked Sendable {
    let name = "delays"
    var longestDelayMicroseconds: UInt64 = 1_000
    var longestTurnaroundMicroseconds: UInt64 = 1
    var lacksTime = false
    var hostError: Interval?
    var wallOffsetMicroseconds = ClockReaderTests.wallClock
    /// Added to the wall clock at the third request.
    var stepMicroseconds: Int64 = 0
    /// The number of the exchange that gets an answer 5.7 s old, immediately.
    var oldAnswer: Int?
    private(set) var exchangeCount = 0

    private var hostMicroseconds: Int64 = 1_000_000
    private let boardOffsetMicroseconds: Int64
    private var generator: SeededGenerator
    private var server = SyncServer()
    private var answer: [UInt8] = []

    init(generator: SeededGenerator) {
        self.generator = generator
        boardOffsetMicroseconds = Int64.random(in: 12_000_000...90_000_000_000, using: &self.generator)
    }

    func client() -> BoardClient {
        BoardClient(
            self, patience: BoardClient.RetryPolicy(attemptCount: 3, timeout: .seconds(2)),
            clock: HostClock(
                monotonicMicroseconds: { self.hostMicroseconds },
                wallClockMicroseconds: { self.hostMicroseconds + self.wallOffsetMicroseconds },
                wallClockError: { self.hostError }))
    }

    /// The difference between an anchor and the true time.
    func distanceMicroseconds(of anchor: Anchor) -> Int64 {
        let host = Int64(anchor.instant.milliseconds) * 1_000 - boardOffsetMicroseconds
        return abs(Int64(anchor.wallClock.milliseconds) * 1_000 - (host + wallOffsetMicroseconds))
    }

    var now: Instant { Instant(clamping: hostMicroseconds / 1_000) }

    private func pass(atMost microseconds: UInt64) {
        hostMicroseconds += Int64(UInt64.random(in: 0...microseconds, using: &generator))
    }

    private var boardInstant: Instant {
        Instant(clamping: (hostMicroseconds + boardOffsetMicroseconds) / 1_000)
    }

    func write(_ bytes: [UInt8], timeout: Interval) throws(LinkError) {
        let isOld = exchangeCount + 1 == oldAnswer
        if !isOld { pass(atMost: longestDelayMicroseconds) }
        var store = DelayedStore()
        store.status.bootIdentifier = 7
        store.status.instant = isOld ? boardInstant - .milliseconds(5_700) : boardInstant
        let received = hostMicroseconds
        pass(atMost: longestTurnaroundMicroseconds)
        store.now = isOld ? store.status.instant : boardInstant
        if lacksTime { hostMicroseconds = received }
        answer = answer(to: bytes, &store)
        exchangeCount += 1
        if exchangeCount == 3 { wallOffsetMicroseconds += stepMicroseconds }
    }

    private func answer(to bytes: [UInt8], _ store: inout DelayedStore) -> [UInt8] {
        var log: Void = ()
        server.receive(bytes.span, store: &store, log: &log)
        var answer: [UInt8] = []
        for index in server.output.indices { answer.append(server.output[index]) }
        server.drain(answer.count)
        guard lacksTime, var refused = Self.refusal(of: bytes) else { return answer }
        swap(&answer, &refused)
        return answer
    }

    /// Returns the refusal `{"rc": 8}` for a time request; nil for others.
    private static func refusal(of bytes: [UInt8]) -> [UInt8]? {
        var decoder = SerialFrameDecoder<2050>()
        var position = 0
        guard decoder.receive(bytes.span, position: &position) else { return nil }
        let frame = [UInt8](copying: decoder.frame)
        guard frame.count >= 8, frame[5] == 64, frame[7] == 3 else { return nil }
        let packet: [UInt8] =
            [frame[0] | 1, 0, 0, 5, 0, 64, frame[6], 3] + [0xa1, 0x62, 0x72, 0x63, 0x08]
        var line = FixedBuffer<4096>()
        try? SerialFrameEncoder.encode(packet.span, into: &line)
        return [UInt8](copying: line.span)
    }

    func read(timeout: Interval) throws(LinkError) -> [UInt8] {
        pass(atMost: longestDelayMicroseconds)
        defer { answer = [] }
        return answer
    }
}

private struct DelayedStore: SyncStore {
    var status = BoardStatus()
    var now: Instant = 0
    var wallClock: WallClockTime? { nil }

    func prepare(path: Span<UInt8>, log: inout Void) {}
    func fileByteCount(path: Span<UInt8>, log: inout Void) throws(SyncStoreError) -> UInt64 {
        throw .fileNotFound
    }
    func readFile(path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>, log: inout Void)
        throws(SyncStoreError) -> Int
    {
        throw .fileNotFound
    }
    func setWallClock(_ setting: WallClockSetting, log: inout Void) throws(SyncStoreError) {}
}

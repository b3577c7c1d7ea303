import BoardLink
import DeviceSync
import FixedMemory

/// A line to a simulated board, with the faults of real lines. Its clock only advances while a read waits in
/// vain.
package final class PipeChannel: ByteChannel {
    /// A download request.
    package struct Ask: Hashable {
        package let path: String
        package let offset: UInt64

        package var isIndex: Bool { path.hasPrefix("/index") }
        package var isConfiguration: Bool { path == "/config" }
        /// Whether the request asks for bytes of the log.
        package var isLog: Bool { !isIndex && !isConfiguration }
    }

    package let name = "pipe"
    package let board: ServedBoard

    /// Breaks the line after this many written requests, before the board receives the next one.
    package var requestsUntilBreak = Int.max
    /// Breaks the line after this many answered requests; the answer to the next one is lost.
    package var answersUntilBreak = Int.max
    /// Breaks the line after this many pieces were read.
    package var readsUntilBreak = Int.max
    /// Called before each write and each read; an error from it ends the connection.
    package var beforeStep: () throws(LinkError) -> Void = {}
    /// Modifies the answer to the request with this number, counted from 0.
    package var tamper: (_ request: Int, _ answer: inout [UInt8]) -> Void = { _, _ in }
    /// Simulates a terminal that is not in raw mode yet: written bytes are echoed.
    package var echoes = false
    /// The maximum number of bytes that one read returns.
    package var readByteCount = 64

    package private(set) var now = Instant.start
    package private(set) var requestCount = 0
    package private(set) var readCount = 0
    package private(set) var asks: [Ask] = []
    /// The requests without those of the configuration, which come last.
    package var logRequestCount: Int { requestCount - asks.count { $0.isConfiguration } }
    private var pending: [UInt8] = []
    private var decoder = SerialFrameDecoder<2050>()

    package init(_ board: ServedBoard) { self.board = board }

    package func write(_ bytes: [UInt8], timeout: Interval) throws(LinkError) {
        try beforeStep()
        guard requestCount < requestsUntilBreak, readCount < readsUntilBreak else {
            throw .gone(port: name)
        }
        record(bytes)
        var answer = (echoes ? bytes : []) + board.answer(bytes)
        tamper(requestCount, &answer)
        requestCount += 1
        pending += answer
    }

    package func read(timeout: Interval) throws(LinkError) -> [UInt8] {
        try beforeStep()
        guard requestCount <= answersUntilBreak, readCount < readsUntilBreak else {
            throw .gone(port: name)
        }
        guard !pending.isEmpty else {
            now += timeout
            return []
        }
        readCount += 1
        let part = Array(pending.prefix(readByteCount))
        pending.removeFirst(part.count)
        return part
    }

    private func record(_ bytes: [UInt8]) {
        var position = 0
        while decoder.receive(bytes.span, position: &position) {
            guard let ask = Self.ask(decoder.frame) else { continue }
            asks.append(ask)
        }
    }

    private static func ask(_ frame: Span<UInt8>) -> Ask? {
        do {
            var reader = ByteReader(frame)
            let header = try SMPHeader(&reader)
            guard header.address == .fileTransfer else { return nil }
            let body = try CBORMap(reader.readRest())
            guard let name = try body.text("name"), let offset = try body.unsigned("off") else { return nil }
            var text: [UInt8] = []
            for index in name.indices { text.append(name[index]) }
            return Ask(path: String(decoding: text, as: UTF8.self), offset: offset)
        } catch {
            return nil
        }
    }
}

extension BoardClient {
    /// A client on a line on which nobody waits in earnest. No other process of this computer can hold up its
    /// clock: a step of it would leave the board's clock unread.
    package static func test(_ channel: some ByteChannel) -> BoardClient {
        BoardClient(
            channel, patience: RetryPolicy(attemptCount: 3, timeout: .milliseconds(100)),
            clock: HostClock(
                monotonicMicroseconds: { 0 }, wallClockMicroseconds: { 1_790_000_000_000_000 }))
    }
}

import DeviceSync
import FixedMemory

/// Sends requests to a board, one at a time. A request without a readable answer is sent again; every request
/// may be repeated safely.
public final class BoardClient {
    public struct RetryPolicy: Sendable {
        public var attemptCount = 4
        public var timeout = Interval.milliseconds(1_500)

        public init() {}
        public init(attemptCount: Int, timeout: Interval) {
            self.attemptCount = attemptCount
            self.timeout = timeout
        }

        /// The retry policy for a port that may have no board behind it.
        public static let probe = RetryPolicy(attemptCount: 2, timeout: .milliseconds(300))
    }

    /// A piece of a file.
    public struct Chunk: Sendable {
        public let bytes: [UInt8]
        /// The file's length; the board sends it with the piece at offset 0.
        public let fileByteCount: UInt64?
    }

    public let channel: any ByteChannel
    public let clock: HostClock
    public var patience: RetryPolicy
    /// Signs commands if the board requires signatures.
    public var operatorKey: OperatorKey?
    /// The board's text for its last refusal; nil if it sent none. The text is untrusted.
    public private(set) var refusalReason: String?
    /// The number of requests that were sent again so far.
    public private(set) var repeatCount = 0

    private var decoder = SerialFrameDecoder<2050>()
    /// Received bytes after the last accepted answer.
    private var unread: [UInt8] = []
    /// Whether printable text arrived outside frames, which boards do not send on their sync port.
    private var hasReadText = false
    /// Begins at random, because a line may still deliver an answer to the last program that used it. It must
    /// not be taken for an answer to this one.
    private var sequence = UInt8.random(in: .min ... .max)
    /// When the answered request was sent, by the monotonic clock.
    private var sentMicroseconds: Int64 = 0
    /// The download request that was sent ahead of its call to ``chunk(of:at:)``.
    private var ahead: (path: SyncPath, offset: UInt64, packet: SMPPacket)?

    public init(
        _ channel: any ByteChannel, patience: RetryPolicy = RetryPolicy(), clock: HostClock = .system
    ) {
        self.channel = channel
        self.patience = patience
        self.clock = clock
    }

    /// True if an SMP server answers at the other end.
    public func echo() throws(LinkError) -> Bool {
        let text = Array("tabard".utf8)
        return try ask("echo") { sequence throws(CapacityError) in
            try SyncRequest.echo(text.span, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.echo().isEqual(to: text.span)
        }
    }

    public func parameters() throws(LinkError) -> SyncParameters {
        try ask("parameters") {
            SyncRequest.parameters(sequence: $0)
        } reading: {
            response throws(SyncResponseError) in
            try response.parameters()
        }
    }

    public func status() throws(LinkError) -> BoardStatus {
        try ask("status") {
            SyncRequest.boardStatus(sequence: $0)
        } reading: {
            response throws(SyncResponseError) in
            try response.boardStatus()
        }
    }

    /// Measures four timestamps. Only the attempt that was answered counts.
    public func exchangeTime() throws(LinkError) -> ClockExchange {
        let answer = try ask("time") {
            SyncRequest.time(sequence: $0)
        } reading: {
            response throws(SyncResponseError) in
            try response.time()
        }
        return exchange(answer)
    }

    /// Measures the same from the board status, which contains only one board time.
    package func statusExchange() throws(LinkError) -> ClockExchange {
        let status = try status()
        return exchange(
            TimeAnswer(bootIdentifier: status.bootIdentifier, received: status.instant, sent: status.instant))
    }

    private func exchange(_ answer: TimeAnswer) -> ClockExchange {
        ClockExchange(
            sentMicroseconds: sentMicroseconds, receivedMicroseconds: clock.monotonicMicroseconds(),
            answer: answer)
    }

    public func setClock(_ setting: WallClockSetting) throws(LinkError) {
        var current = setting
        try command("clock", prepare: { () throws(LinkError) in current = try later(setting) }) {
            sequence throws(CapacityError) in
            try SyncRequest.setClock(current, sequence: sequence)
        } reading: { _ in
        }
    }

    /// The same setting for the present moment of the board's clock, because a board accepts no signed
    /// setting for a moment before its nonce.
    private func later(_ setting: WallClockSetting) throws(LinkError) -> WallClockSetting {
        guard let moment = setting.moment else { return setting }
        let answer = try exchangeTime().answer
        guard answer.bootIdentifier == moment.bootIdentifier, answer.received >= moment.instant else {
            return setting
        }
        let elapsed = answer.received.interval(since: moment.instant)
        // No session lasts so long. Anything on the line may have answered.
        guard elapsed <= .hours(24) else { return setting }
        var later = setting
        later.time = setting.time + elapsed
        later.moment = BoardMoment(bootIdentifier: moment.bootIdentifier, instant: answer.received)
        // The board's clock drifts by at most 500 ppm.
        later.errorMilliseconds = setting.errorMilliseconds.map {
            $0 &+ UInt32(clamping: (elapsed.milliseconds + 1_999) / 2_000)
        }
        return later
    }

    /// Tells the board to send a message to peers. A repeated request does not send the message twice.
    public func send(_ message: MessageRequest) throws(LinkError) -> MessageReport {
        try command("message") { sequence throws(CapacityError) in
            try SyncRequest.send(message, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.messageReport(of: message.number)
        }
    }

    /// The delivery state of a message so far.
    public func messageReport(number: UInt32) throws(LinkError) -> MessageReport {
        try ask("message report") { sequence throws(CapacityError) in
            try SyncRequest.messageReport(number: number, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.messageReport(of: number)
        }
    }

    /// Requests the piece that ``chunk(of:at:)`` will ask for next, so that it arrives while the previous
    /// piece is processed. That call reports any failure.
    public func requestChunk(of path: SyncPath, at offset: UInt64) {
        let text = path.text
        sequence &+= 1
        do {
            let packet = try SyncRequest.download(path: text.span, offset: offset, sequence: sequence)
            try channel.write(Self.line(packet), timeout: patience.timeout)
            ahead = (path, offset, packet)
        } catch {
            ahead = nil
        }
    }

    /// The piece of a file from `offset` on, as long as one answer permits; empty at the end of the file.
    public func chunk(of path: SyncPath, at offset: UInt64) throws(LinkError) -> Chunk {
        let text = path.text
        let isOnItsWay = ahead.map { $0.path == path && $0.offset == offset } ?? false
        let sent = isOnItsWay ? ahead?.packet : nil
        return try ask("download", sent: sent) { sequence throws(CapacityError) in
            try SyncRequest.download(path: text.span, offset: offset, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            let chunk = try response.download()
            guard chunk.offset == offset else { throw .malformed }
            return Chunk(bytes: [UInt8](copying: chunk.data), fileByteCount: chunk.fileByteCount)
        }
    }

    /// SHA-256 of `byteCount` bytes of a file from `offset` on. The board needs a longer time to compute it.
    public func digest(
        of path: SyncPath, from offset: UInt64 = 0, byteCount: UInt64
    ) throws(LinkError) -> Bytes<32>? {
        let text = path.text
        return try ask("hash", timeout: 4 * patience.timeout) { sequence throws(CapacityError) in
            try SyncRequest.fileHash(
                path: text.span, type: .sha256, offset: offset, byteCount: byteCount, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            let answer = try response.fileHash()
            guard case .sha256(let digest) = answer.hash, answer.byteCount == byteCount else { return nil }
            return digest
        }
    }

    func ask<Answer>(
        _ name: String, timeout: Interval? = nil, sent: SMPPacket? = nil,
        _ request: (_ sequence: UInt8) throws(CapacityError) -> SMPPacket,
        reading: (borrowing SyncResponse) throws(SyncResponseError) -> Answer
    ) throws(LinkError) -> Answer {
        ahead = nil
        let timeout = timeout ?? patience.timeout
        for attempt in 0..<patience.attemptCount {
            if attempt > 0 {
                repeatCount += 1
                decoder.reset()
                unread = []
            }
            let deadline = now + timeout
            let packet: SMPPacket
            if attempt == 0, let sent {
                packet = sent
            } else {
                sequence &+= 1
                let line: [UInt8]
                do throws(CapacityError) {
                    packet = try request(sequence)
                    line = try Self.line(packet, endsWhatCameBefore: attempt > 0 || sequence == 1)
                } catch {
                    throw .noAnswer(port: channel.name, request: "\(name) (too long to send)")
                }
                sentMicroseconds = clock.monotonicMicroseconds()
                try channel.write(line, timeout: timeout)
            }
            if let answer = try answer(to: packet, name, until: deadline, reading) { return answer }
        }
        // A board may share its port with its system's messages, but it sends frames as well.
        if decoder.counters == .init(), hasReadText { throw .foreignText(port: channel.name) }
        throw .noAnswer(port: channel.name, request: name)
    }

    /// `endsWhatCameBefore`: starts with a line feed, so that the board discards any partial line before.
    private static func line(
        _ packet: SMPPacket, endsWhatCameBefore: Bool = false
    ) throws(CapacityError) -> [UInt8] {
        var encoded = FixedBuffer<4096>()
        if endsWhatCameBefore { try encoded.append(0x0A as UInt8) }
        try SerialFrameEncoder.encode(packet.span, into: &encoded)
        return [UInt8](copying: encoded.span)
    }

    /// Nil at the deadline, or if the answer cannot be read.
    private func answer<Answer>(
        to request: SMPPacket, _ name: String, until deadline: Instant,
        _ reading: (borrowing SyncResponse) throws(SyncResponseError) -> Answer
    ) throws(LinkError) -> Answer? {
        while true {
            let start = now
            guard start < deadline else { return nil }
            if unread.isEmpty { unread = try channel.read(timeout: deadline - start) }
            let bytes = unread
            hasReadText = hasReadText || Self.isText(bytes)
            var position = 0
            while decoder.receive(bytes.span, position: &position) {
                let frame = [UInt8](copying: decoder.frame)
                do throws(SyncResponseError) {
                    let response = try SyncResponse(frame.span, to: request)
                    let answer = try reading(response)
                    unread = Array(bytes[position...])
                    return answer
                } catch {
                    switch error {
                    // A late answer, or our own request echoed by a terminal that is not in raw mode yet.
                    case .unexpected: continue
                    case .malformed: return nil
                    case .refused(let refusal):
                        refusalReason = SyncResponse.reason(frame.span).map {
                            String(decoding: [UInt8](copying: $0.span), as: UTF8.self)
                        }
                        throw .refused(request: name, refusal)
                    }
                }
            }
            unread = []
        }
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.count(where: { UInt8(ascii: "A")...UInt8(ascii: "z") ~= $0 }) > 2
            && bytes.allSatisfy { $0 == 0x1B || 0x07...0x0D ~= $0 || 0x20..<0x7F ~= $0 }
    }

    private var now: Instant { channel.now }
}

extension SyncResponse {
    /// The answer must concern the requested message.
    fileprivate borrowing func messageReport(of number: UInt32) throws(SyncResponseError) -> MessageReport {
        let report = try messageReport()
        guard report.number == number else { throw .malformed }
        return report
    }
}

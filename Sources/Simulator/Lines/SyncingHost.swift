import DeviceSync
import FixedMemory
import FlashSimulator

/// One or several hosts that take turns to fetch a board's log over its ``SimulatedLine``, and may send
/// messages through it. They come at random times, continue where they stopped, and sometimes leave in the
/// middle. Bytes that a host has received, and whose checksum equals the board's, are acknowledged and
/// passed to `onAcknowledged`.
///
/// Fault model: a host may leave at any moment and come back at any time, because people pull cables. It
/// repeats answered requests, because its disk may have lost the answer. It never acknowledges bytes that it
/// lacks. Such a bug of the host tool would show up in ``NothingAcknowledgedIsLost``. ``LineFaults`` has the
/// faults of the cable.
public final class SyncingHost: WorldActor {
    public struct Habits: Sendable {
        /// The number of hosts that take turns, each with its own copy of the log.
        public var hostCount = 1
        public var longestPause = SimulatedDuration.minutes(20)
        /// One session in this many, on average, sets the board's clock; 0 for none.
        public var sessionsPerClock = 3
        /// One request in this many, on average, ends the session because the cable is pulled; 0 for none.
        public var requestsPerHangUp = 0

        public init() {}
    }

    public var habits: Habits
    /// Whether the host starts no session by itself.
    public var isIdle = false
    /// Milliseconds from 1970 to the world's beginning, as hosts know the time.
    public static let epochMilliseconds: UInt64 = 1_790_000_000_000
    public private(set) var sessionCount = 0
    public private(set) var finishedSessionCount = 0
    public private(set) var requestCount = 0
    public private(set) var repeatCount = 0
    public private(set) var acknowledgedByteCount = 0
    public private(set) var discardCount = 0
    public private(set) var lastFinished: SimulatedTime?
    /// The last status that the board sent, and when.
    public private(set) var lastStatus: (status: BoardStatus, time: SimulatedTime)?
    /// The next message to send, called once per session; nil if there is none.
    var nextMessage: () -> MessageRequest? = { nil }
    /// The messages so far.
    public private(set) var messages: [OperatorMessage] = []
    /// Called with a segment's ordinal and its acknowledged first bytes.
    public var onAcknowledged: (UInt32, [UInt8]) -> Void = { _, _ in }

    /// When the index was last requested.
    private(set) var indexTime = SimulatedTime.zero

    private let line: SimulatedLine
    private var blockByteCount = 0
    private var random: RandomStream
    private var stores: [HostStore]
    private var turn = 0
    private var session: SyncSession?
    private var packet: SMPPacket?
    private var decoder = SerialFrameDecoder<2050>()
    private var sequence: UInt8 = 0
    private var attempts = 0
    private var deadline = SimulatedTime.never
    private var beginning = SimulatedTime.never

    private enum Alarm {
        static let begin: UInt32 = 0
        static let answer: UInt32 = 1
        static let timeout: UInt32 = 2
    }

    private static let answerTimeout = SimulatedDuration.seconds(6)
    private static let attemptsPerRequest = 4

    public init(_ name: String, at line: SimulatedLine, _ habits: Habits = Habits(), in world: World) {
        self.line = line
        self.habits = habits
        random = world.random("host \(name)")
        stores = Array(repeating: HostStore(), count: max(1, habits.hostCount))
        super.init(in: world)
        line.onOutput = { [unowned self] in
            if session != nil { setAlarm(Alarm.answer, at: self.world.now) }
        }
        plan()
    }

    /// Begins a session now, unless one is in progress.
    public func begin() {
        guard session == nil else { return }
        // The port is gone, so the host cannot open it.
        guard !line.faults.isGone else { return plan() }
        sessionCount += 1
        turn = (turn + 1) % stores.count
        decoder.reset()
        line.faults.isHungUp = false
        if line.faults.isLeft {
            // This host keeps the bytes that waited in the line. They arrive first, and must not count as an
            // answer.
            line.faults.isLeft = false
        } else {
            _ = line.takeOutput()
        }
        var clock: WallClockTime?
        if habits.sessionsPerClock > 0, random.below(UInt64(habits.sessionsPerClock)) == 0 {
            clock = world.now.wallClock
        }
        let earlier = messages.last?.number
        let message = nextMessage()
        if let message { messages.append(OperatorMessage(message)) }
        session = SyncSession(wallClock: clock, message: message, reportNumber: earlier)
        ask()
    }

    /// Ends the current session and begins another one with the same host.
    public func beginAnew() {
        session = nil
        turn = (turn + stores.count - 1) % stores.count
        begin()
    }

    /// Whether the current host really holds and has acknowledged this page.
    func hasAcknowledged(ordinal: UInt32, page: Int) -> Bool {
        let store = stores[turn]
        let byteCount = min(store.acknowledgedByteCount(of: ordinal), store.bytes(of: ordinal).count)
        return blockByteCount > 0 && byteCount >= (page + 1) * blockByteCount
    }

    override func wake(_ alarm: UInt32) {
        switch alarm {
        case Alarm.begin where beginning == world.now:
            if isIdle { plan() } else { begin() }
        case Alarm.answer: listen()
        case Alarm.timeout where deadline == world.now: askAgain()
        default: break
        }
    }

    // MARK: Requests

    private func ask() {
        if habits.requestsPerHangUp > 0, random.below(UInt64(habits.requestsPerHangUp)) == 0 {
            line.faults.isHungUp = true
            return end()
        }
        sequence &+= 1
        attempts = 0
        guard let next = session?.nextRequest(sequence: sequence, store: stores[turn]) else {
            if session?.hasIndex == true { finishedSessionCount += 1 }
            lastFinished = world.now
            return end()
        }
        packet = next
        requestCount += 1
        send()
    }

    private func askAgain() {
        guard session != nil else { return }
        attempts += 1
        guard attempts < Self.attemptsPerRequest else { return end() }
        repeatCount += 1
        decoder.reset()
        send()
    }

    private func send() {
        guard let packet else { return }
        var bytes = FixedBuffer<4096>()
        // A line end ends anything that the board may read as the beginning of a frame.
        try? bytes.append(0x0a as UInt8)
        try? SerialFrameEncoder.encode(packet.span, into: &bytes)
        // The timeout is long enough for the board's checksum over a whole segment.
        deadline = world.now + Self.answerTimeout
        setAlarm(Alarm.timeout, at: deadline)
        line.send([UInt8](bytes.span))
    }

    private func recordMessages() {
        if let report = session?.report,
            let place = messages.lastIndex(where: { $0.number == report.number })
        {
            messages[place].report = report
        }
        if let refusal = session?.messageRefusal { messages[messages.count - 1].refusal = refusal }
    }

    private func end() {
        session = nil
        packet = nil
        deadline = .never
        plan()
    }

    private func plan() {
        beginning = world.now + .seconds(1) + random.duration(upTo: habits.longestPause)
        setAlarm(Alarm.begin, at: beginning)
    }

    // MARK: Answers

    private func listen() {
        for byte in line.takeOutput() where decoder.receive(byte) {
            let frame = [UInt8](decoder.frame)
            guard let outcome = session?.take(frame, store: &stores[turn]), outcome != .nothing else {
                continue
            }
            if let status = session?.status { lastStatus = (status, world.now) }
            if let count = session?.blockByteCount { blockByteCount = count }
            recordMessages()
            if session?.step == .index { indexTime = world.now }
            switch outcome {
            case .acknowledged(let ordinal, let byteCount):
                acknowledgedByteCount += byteCount
                onAcknowledged(ordinal, Array(stores[turn].bytes(of: ordinal).prefix(byteCount)))
            case .discarded: discardCount += 1
            case .nothing, .progress: break
            }
            ask()
        }
    }
}

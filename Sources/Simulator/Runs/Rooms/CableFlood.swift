import DeviceSync
import FixedMemory
import FlashSimulator

/// Somebody without any key repeats requests over a board's cable that once had its open page committed:
/// index, hash, length and manifest. Phones are near meanwhile.
public struct CableFlood: Sendable {
    public private(set) var requestCount = 0
    public private(set) var answerCount = 0
    public private(set) var programmedByteCount: UInt64 = 0
    public let duration: SimulatedDuration
    /// The board's loss window in seconds.
    public let lossWindowSeconds: UInt64

    private static let interval = SimulatedDuration.milliseconds(50)
    private static let pageByteCount: UInt64 = 4_096

    /// - Parameters:
    ///   - isAsking: Whether somebody is at the cable; false for the same world without requests.
    ///   - progress: Called after each simulated minute with its number.
    public init(
        minutes: UInt64, phones: Int = 6, isAsking: Bool = true, lossWindowSeconds: UInt64 = 30,
        seed: UInt64 = 1,
        progress: (UInt64) -> Void = { _ in }
    ) {
        duration = .minutes(minutes)
        self.lossWindowSeconds = lossWindowSeconds
        let world = World(seed: seed)
        var setup = BoardSetup()
        setup.options.append("log.loss_window_seconds=\(lossWindowSeconds)")
        setup.blockByteCount = Int(Self.pageByteCount)
        setup.blocksPerSegment = 64
        setup.segmentCount = 64
        setup.isSealed = true
        let board = SimulatedBoard("beacon", setup, in: world)
        let pages = PageCounter(of: board)
        board.powerOn()
        for number in 0..<phones {
            _ = SimulatedPhone(
                "phone \(number)", at: Route(standingAt: Position(Double(number), 1)), in: world)
        }
        for minute in 0..<minutes {
            let end = SimulatedTime.zero + .minutes(minute + 1)
            while world.now < end {
                if isAsking { ask(board) }
                world.run(for: Self.interval)
            }
            progress(minute + 1)
        }
        programmedByteCount = pages.programmedByteCount
        world.end()
    }

    private mutating func ask(_ board: SimulatedBoard) {
        let answer = board.line.takeOutput()
        if !answer.isEmpty { answerCount += 1 }
        let sequence = UInt8(truncatingIfNeeded: requestCount)
        var frame = FixedBuffer<4_096>()
        do throws(CapacityError) {
            let request = try Self.request(requestCount, sequence)
            try SerialFrameEncoder.encode(request.span, into: &frame)
        } catch {
            return
        }
        requestCount += 1
        board.line.send([UInt8](frame.span))
    }

    private static func request(_ number: Int, _ sequence: UInt8) throws(CapacityError) -> SMPPacket {
        let index = SyncPath.index.text
        switch number % 4 {
        case 0: return try SyncRequest.download(path: index.span, offset: 0, sequence: sequence)
        case 1: return try SyncRequest.fileHash(path: index.span, type: .sha256, sequence: sequence)
        case 2: return try SyncRequest.fileStatus(path: index.span, sequence: sequence)
        default: return try SyncRequest.manifest(nonce: Bytes<16>(), sequence: sequence)
        }
    }

    /// The bytes that one page in each loss window takes.
    public var byteLimit: UInt64 {
        (UInt64(duration.seconds) / lossWindowSeconds + 2) * Self.pageByteCount
    }

    /// The first requirement that is not met; nil if all are.
    public func complaint(beside calm: CableFlood) -> String? {
        if answerCount * 2 < requestCount { return "\(answerCount) answers to \(requestCount) requests" }
        let limit = calm.programmedByteCount + byteLimit
        if programmedByteCount > limit {
            return "\(programmedByteCount) bytes programmed, without the requests \(calm.programmedByteCount)"
        }
        return nil
    }
}

import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

@testable import BoardLink

/// Tests the client's part of signed commands: a board with an operator key behind a line that loses answers.
@Suite struct SignedCommandTests {
    private let operatorKey: OperatorKey
    private let clock = WallClockSetting(time: 1_800_000_000_000, errorMilliseconds: 5)

    init() throws {
        operatorKey = try OperatorKey(scalar: P256PrivateKey(entropy: .system).scalarBytes())
    }

    private func client(_ board: KeyedBoard) -> BoardClient {
        BoardClient(board, patience: BoardClient.RetryPolicy(attemptCount: 3, timeout: .milliseconds(10)))
    }

    @Test func `commands to a provisioned board are signed`() throws {
        let board = try KeyedBoard(operatorKey: operatorKey.publicHalf)
        let client = client(board)
        client.operatorKey = operatorKey
        try client.setClock(clock)
        #expect(board.wallClock == 1_800_000_000_000)
    }

    @Test func `a command without the operator key or with another is refused`() throws {
        let board = try KeyedBoard(operatorKey: operatorKey.publicHalf)
        let client = client(board)
        #expect(throws: LinkError.refused(request: "clock", .accessDenied)) {
            try client.setClock(self.clock)
        }
        client.operatorKey = try OperatorKey(scalar: P256PrivateKey(entropy: .system).scalarBytes())
        #expect(throws: LinkError.refused(request: "clock", .notSigned)) { try client.setClock(self.clock) }
        #expect(board.wallClock == nil)
    }

    @Test func `commands to an unprovisioned board are not signed`() throws {
        let board = try KeyedBoard(operatorKey: nil)
        let client = client(board)
        client.operatorKey = operatorKey
        try client.setClock(clock)
        #expect(board.wallClock == 1_800_000_000_000)
    }

    /// The board has executed the command and used up the nonce. The client cannot know this, and signs again
    /// with a new one.
    @Test func `a signed command is sent again if its answer was lost`() throws {
        let board = try KeyedBoard(operatorKey: operatorKey.publicHalf)
        board.losesNextAnswerTo = .signed
        let client = client(board)
        client.operatorKey = operatorKey
        try client.setClock(clock)
        #expect(board.clockSetCount == 2)
    }

    @Test func `the first keys are sent again if the answer was lost`() throws {
        let board = try KeyedBoard(operatorKey: nil)
        board.losesNextAnswerTo = .keys
        let ownerKey = try P256PrivateKey(entropy: .system).publicKey
        let report = try client(board).setKeys(ownerKey: ownerKey, operatorKey: operatorKey.publicHalf)
        #expect(report.operatorFingerprint == operatorKey.publicHalf.fingerprint)
        #expect(board.storeCount == 1)
    }
}

/// A board with keys at the other end of a line.
private final class KeyedBoard: ByteChannel, SyncStore {
    let name = "board"
    private(set) var publicKeys: BoardPublicKeys?
    private(set) var wallClock: WallClockTime?
    private(set) var clockSetCount = 0
    private(set) var storeCount = 0
    var losesNextAnswerTo: SMPCommand?

    private var server = SyncServer()
    private var toHost: [UInt8] = []
    private var nonceCount: UInt8 = 0

    init(operatorKey: P256PublicKey?) throws {
        let key = try P256PrivateKey(entropy: .system).publicKey
        publicKeys = BoardPublicKeys(board: key, ownerKey: operatorKey, operatorKey: operatorKey)
    }

    // MARK: ByteChannel

    private(set) var now = Instant.start

    func write(_ bytes: [UInt8], timeout: Interval) throws(LinkError) {
        var store = self
        var log: Void = ()
        server.receive(bytes.span, store: &store, log: &log)
        answerRequest()
        while server.hasWork {
            server.step(store: &store, log: &log)
            answerRequest()
        }
        let answer = [UInt8](copying: server.output)
        server.drain(answer.count)
        if isLost(answer) { return }
        toHost += answer
    }

    func read(timeout: Interval) throws(LinkError) -> [UInt8] {
        defer { toHost = [] }
        if toHost.isEmpty { now += timeout }
        return toHost
    }

    private func isLost(_ answer: [UInt8]) -> Bool {
        var decoder = SerialFrameDecoder<2050>()
        var position = 0
        guard let command = losesNextAnswerTo, decoder.receive(answer.span, position: &position) else {
            return false
        }
        let frame = [UInt8](copying: decoder.frame)
        guard frame[7] == command.command, frame[5] == UInt8(command.group) else { return false }
        losesNextAnswerTo = nil
        return true
    }

    private func answerRequest() {
        switch server.nextRequest() {
        case .nonce:
            nonceCount += 1
            server.answer(
                nonce: Bytes<16>([UInt8](repeating: nonceCount, count: 16).span) ?? Bytes(), now: now)
        case .storeKeys(let keys):
            publicKeys = keys
            storeCount += 1
            server.answer(keys: keys)
        default: break
        }
    }

    // MARK: SyncStore

    func prepare(path: Span<UInt8>, log: inout Void) {}
    func fileByteCount(path: Span<UInt8>, log: inout Void) throws(SyncStoreError) -> UInt64 {
        throw .fileNotFound
    }
    func readFile(
        path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>, log: inout Void
    ) throws(SyncStoreError) -> Int { throw .fileNotFound }
    func setWallClock(_ setting: WallClockSetting, log: inout Void) throws(SyncStoreError) {
        wallClock = setting.time
        clockSetCount += 1
    }
    var status: BoardStatus { BoardStatus() }
}

import Cryptography
import DeviceSync
import FixedMemory
import TestSupport

/// The input is a byte of flags. With flag 1 packets follow (length (1), then bytes), which are framed and
/// sent; otherwise the raw bytes on the line follow. With flag 128 the board has an operator key. The flags
/// shifted right by one are the number of bytes that arrive at once.
enum SMPTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        let flags = script.byte()
        var line: [UInt8] = []
        if flags & 1 == 0 {
            line = script.rest()
        } else {
            while !script.isAtEnd {
                var frame = FixedBuffer<4096>()
                let packet = script.chunk()
                try? SerialFrameEncoder.encode(packet.span, into: &frame)
                line += frame.span.array
                try decode(frame.span.array, is: packet)
            }
        }
        try requireSplitInvariance(line, pieceByteCount: max(1, Int(flags >> 1)))
        try serve(line, pieceByteCount: max(1, Int(flags >> 1)), isProvisioned: flags & 0x80 != 0)
    }

    private static func frames(in line: [UInt8], pieceByteCount: Int) -> [[UInt8]] {
        var decoder = SerialFrameDecoder<2050>()
        var frames: [[UInt8]] = []
        for start in stride(from: 0, to: line.count, by: pieceByteCount) {
            let piece = Array(line[start..<min(start + pieceByteCount, line.count)])
            var position = 0
            while decoder.receive(piece.span, position: &position) { frames.append(decoder.frame.array) }
        }
        return frames
    }

    private static func decode(_ line: [UInt8], is packet: [UInt8]) throws(FuzzFinding) {
        try require(
            frames(in: line, pieceByteCount: line.count) == [packet], "a frame decoded is what was encoded")
    }

    private static func requireSplitInvariance(_ line: [UInt8], pieceByteCount: Int) throws(FuzzFinding) {
        guard !line.isEmpty else { return }
        let whole = frames(in: line, pieceByteCount: line.count)
        try require(
            whole == frames(in: line, pieceByteCount: pieceByteCount), "the same frames however split")
        let total = whole.reduce(0) { $0 + $1.count }
        try require(total <= line.count, "no more bytes in frames than on the line")
    }

    private static func serve(
        _ line: [UInt8], pieceByteCount: Int, isProvisioned: Bool
    ) throws(FuzzFinding) {
        var server = SyncServer()
        var store = FuzzStore(isProvisioned: isProvisioned)
        var log: Void = ()
        var answers: UInt32 = 0
        for start in stride(from: 0, to: line.count, by: pieceByteCount) {
            let piece = Array(line[start..<min(start + pieceByteCount, line.count)])
            server.receive(piece.span, store: &store, log: &log)
            store.answerRequest(&server)
            var steps = 0
            while server.hasWork {
                server.step(store: &store, log: &log)
                store.answerRequest(&server)
                steps += 1
                try require(steps <= 100, "a hash, a signature and its verification end")
            }
            try require(
                !store.isProvisioned || !store.hasChanged, "nothing changes that the operator has not signed")
            if server.output.isEmpty { continue }
            let output = server.output.array
            server.drain(output.count)
            for answer in frames(in: output, pieceByteCount: max(1, output.count)) {
                answers += 1
                try check(answer)
            }
        }
        try require(answers <= server.counters.requests, "an answer for each request at most")
    }

    private static func check(_ answer: [UInt8]) throws(FuzzFinding) {
        let span = answer.span
        var reader = ByteReader(span)
        guard let header = try? SMPHeader(&reader) else {
            throw FuzzFinding(description: "an answer has a header")
        }
        try require(!header.operation.isRequest, "an answer is none that asks")
        try require(Int(header.bodyByteCount) == reader.remainingCount, "its length is right")
        try require((try? CBORMap(orEmpty: reader.readRest())) != nil, "its body is CBOR")
    }
}

/// A store with two files, a clock, and keys for which no valid signature exists.
struct FuzzStore: SyncStore {
    var wallClock: WallClockTime?
    var status = BoardStatus()
    /// Whether the board ran a command that it accepts only signed.
    private(set) var hasChanged = false

    /// The board's private scalar; the public keys are the base point of the curve.
    private static let scalar = Bytes<32>([UInt8](repeating: 7, count: 32).span) ?? Bytes()
    private static let point = try? P256PublicKey(
        x963: [UInt8](
            hex: """
                04 6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296 \
                4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5
                """
        ).span)

    let isProvisioned: Bool

    init(isProvisioned: Bool) { self.isProvisioned = isProvisioned }

    var publicKeys: BoardPublicKeys? {
        Self.point.map {
            BoardPublicKeys(
                board: $0, ownerKey: isProvisioned ? $0 : nil, operatorKey: isProvisioned ? $0 : nil)
        }
    }

    /// Answers as an agent would.
    mutating func answerRequest(_ server: inout SyncServer) {
        switch server.nextRequest() {
        case nil: break
        case .nonce: server.answer(nonce: Bytes(), now: now)
        case .manifest(let nonce):
            var statement = LogStatement()
            statement.nonce = nonce
            server.answer(manifest: statement, scalar: Self.scalar)
        case .report: server.answer(.failure(.unknownMessage))
        case .send, .storeKeys:
            hasChanged = true
            server.answer(.failure(.nobodyThere))
        case .acknowledge, .erase:
            hasChanged = true
            server.answer(segments: .success(1))
        case .configure:
            hasChanged = true
            let text = server.staged
            server.answer(configurationRefusal: text.span)
        case .openSecrets: server.openSecrets(scalar: Self.scalar)
        case .storeSecrets:
            hasChanged = true
            let record = server.staged
            server.answer(secretsRefusal: record.span)
        case .backUp(let scheme, let context):
            // It changes nothing, but only the operator may have a copy.
            hasChanged = true
            var contents = BackupContents()
            contents.scheme = scheme
            contents.context = context
            contents.state = scheme == 0 ? .none : .sealed
            server.backUp(
                status.logIdentity.span.extracting(first: scheme == 0 ? 0 : 16), contents, for: Self.point,
                boardScalar: Self.scalar, entropy: .system)
        case .expectUpdate:
            hasChanged = true
            server.answer(updateOffset: 0, restarts: false)
        case .storeUpdatePiece(let offset):
            // A piece needs no signature: only an announced file is stored.
            let piece = server.staged
            if piece.count % 2 == 0 {
                server.answer(updateOffset: offset, restarts: false)
            } else {
                server.answer(updateRefusal: piece.span)
            }
        }
    }

    private func byteCount(_ path: Span<UInt8>) throws(SyncStoreError) -> UInt64 {
        switch SyncPath(path) {
        case .index, .indexFrom: return 125
        case .log: return 5_000
        default: throw .fileNotFound
        }
    }

    mutating func prepare(path: Span<UInt8>, log: inout Void) {}

    mutating func fileByteCount(path: Span<UInt8>, log: inout Void) throws(SyncStoreError) -> UInt64 {
        try byteCount(path)
    }

    mutating func readFile(
        path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>, log: inout Void
    )
        throws(SyncStoreError) -> Int
    {
        let end = try byteCount(path)
        guard offset <= end else { throw .readFailed }
        let count = Int(min(UInt64(bytes.count), end - offset))
        for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: Int(offset) + index) }
        return count
    }

    mutating func setWallClock(_ setting: WallClockSetting, log: inout Void) throws(SyncStoreError) {
        wallClock = setting.time
        hasChanged = true
    }

    var now: Instant { status.instant }
}

import Archive
import BoardLink
import BoardTestSupport
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import Testing

@testable import Sync

/// Acknowledgement has two phases: the host stores and verifies the log, then it acknowledges that to the
/// board.
@Suite struct AcknowledgementTests {
    private let archive: Archive
    private let operatorKey: OperatorKey

    init() throws {
        archive = try Archive(inMemoryNamed: "test")
        operatorKey = try OperatorKey(scalar: P256PrivateKey(entropy: .system).scalarBytes())
    }

    private func sync(
        _ board: ServedBoard, key: OperatorKey? = nil, _ archive: Archive? = nil
    ) throws -> SyncSummary {
        var options = Synchroniser.Options.trusting
        options.operatorKey = key
        return try Synchroniser(
            client: BoardClient.test(PipeChannel(board)), archive: archive ?? self.archive,
            options: options
        ).run()
    }

    @Test func `stored and compared segments are acknowledged`() throws {
        let board = try ServedBoard()
        try board.record(12)
        let head = SyncPosition(board.head)
        #expect(try sync(board).acknowledgement == .done(head))
        #expect(SyncPosition(board.syncedThrough) == head)
    }

    @Test func `the board's reason for a refused time is in the result`() throws {
        let board = try ServedBoard()
        board.refusesClock = true
        let summary = try sync(board)
        #expect(summary.clockRefusal == "the time must be in one of the years 2020 to 2099")
        #expect(summary.clockError != nil)
    }

    @Test func `the manifest is stored unchanged and can be verified later`() throws {
        let board = try ServedBoard()
        try board.record(3)
        for _ in 0..<2 { _ = try sync(board) }
        let manifests = try archive.manifests(of: board.identity)
        #expect(manifests.count == 2)
        let keys = try #require(try archive.keys(of: board.identity))
        for manifest in manifests {
            #expect(manifest.boardKey == keys.publicKey)
            let key = try P256PublicKey(x963: manifest.boardKey.span)
            try key.verify(manifest.signature, digest: LogStatement.digest(of: manifest.statement.span))
            let statement = try LogStatement(manifest.statement.span)
            #expect(statement.bootIdentifier == board.bootIdentifier)
        }
        let nonces = try manifests.map { try LogStatement($0.statement.span).nonce }
        #expect(nonces[0] != nonces[1])
    }

    @Test func `a board without keys is fetched and not acknowledged`() throws {
        let board = try ServedBoard(hasKeys: false)
        try board.record(12)
        let summary = try sync(board)
        #expect(summary.acknowledgement == .skipped(.noManifest))
        #expect(try archive.encounters().isEmpty)
        #expect(try archive.leftOutPages(of: board.identity).map(\.standing) == [.unsigned])
    }

    @Test func `a read-only fetch sends no acknowledgement`() throws {
        let board = try ServedBoard()
        try board.record(12)
        let summary = try Synchroniser(
            client: BoardClient.test(PipeChannel(board)), archive: archive,
            options: .trustingReader
        ).run()
        #expect(summary.acknowledgement == .skipped(.notWanted))
        #expect(board.syncedThrough == .start)
        #expect(board.wallClock == nil)
        #expect(try archive.encounters().count == 12)
    }

    @Test func `a provisioned board accepts acknowledgements of its operator only`() throws {
        let board = try ServedBoard(operatorKey: operatorKey.publicHalf)
        try board.record(12)
        #expect(try sync(board).acknowledgement == .skipped(.noOperatorKey))
        #expect(try archive.encounters().count == 12)
        let other = try OperatorKey(scalar: P256PrivateKey(entropy: .system).scalarBytes())
        #expect(try sync(board, key: other).acknowledgement == .skipped(.refused(.notSigned)))
        #expect(board.syncedThrough == .start)
        guard case .done = try sync(board, key: operatorKey).acknowledgement else {
            Issue.record("the operator may")
            return
        }
        #expect(board.syncedThrough > .start)
        #expect(board.wallClock != nil)
    }

    enum Lie: CaseIterable {
        case ofAnotherLog, overAnotherNonce, anotherEnd, anotherChain
    }

    @Test(arguments: Lie.allCases) func `bytes that differ from the board's hash are not acknowledged`(
        _ lie: Lie
    ) throws {
        let board = try ServedBoard()
        try board.record(12)
        board.tampersStatement = { statement in
            switch lie {
            case .ofAnotherLog: statement.logIdentity[3] ^= 1
            case .overAnotherNonce: statement.nonce[3] ^= 1
            case .anotherEnd: statement.head.byteOffset += 1
            case .anotherChain: statement.chainValue[3] ^= 1
            }
        }
        let reason: Impostor.Reason? =
            switch lie {
            case .ofAnotherLog, .overAnotherNonce: .badSignature
            case .anotherEnd, .anotherChain: nil
            }
        if let reason {
            let impostor = Impostor(claimed: board.identity, reason: reason)
            #expect(throws: SyncError.impostor(impostor)) { try sync(board) }
            #expect(try archive.boards().isEmpty)
        } else {
            #expect(try sync(board).acknowledgement == .skipped(.differs))
        }
        #expect(board.syncedThrough == .start)
    }

    @Test func `a key other than the known one is not trusted`() throws {
        let board = try ServedBoard()
        try board.record(3)
        _ = try sync(board)
        let impostor = try ServedBoard()
        try impostor.record(3)
        let fingerprint = try #require(impostor.publicKeys).board.fingerprint
        #expect(
            throws: SyncError.impostor(Impostor(claimed: board.identity, reason: .otherKey(fingerprint)))
        ) { try sync(impostor) }
        #expect(impostor.syncedThrough == .start)
        #expect(try archive.keyHistory(of: board.identity).count == 1)
    }

    @Test func `nothing is acknowledged from the first different segment on`() throws {
        let board = try ServedBoard()
        try board.record(20)
        _ = try sync(board)
        try board.record(60)
        let wanted = try #require(board.segments().last).ordinal - 1
        board.unstableSegment = wanted
        let before = board.syncedThrough
        let summary = try sync(board)
        #expect(summary.differingSegments == [wanted])
        #expect(summary.acknowledgement == .skipped(.unchained))
        #expect(board.syncedThrough == before)
        board.unstableSegment = nil
        _ = try sync(board)
        #expect(board.syncedThrough.segmentOrdinal > wanted)
    }

    @Test func `two hosts acknowledge the same board`() throws {
        let board = try ServedBoard()
        let second = try Archive(inMemoryNamed: "second")
        try board.record(6)
        _ = try sync(board)
        let first = board.syncedThrough
        try board.record(6)
        guard case .done = try sync(board, second).acknowledgement else {
            Issue.record("the second host may")
            return
        }
        #expect(board.syncedThrough > first)
        guard case .done = try sync(board).acknowledgement else {
            Issue.record("what the board wrote since is new to the first")
            return
        }
    }

    /// Each segment header contains the day of its creation in plaintext.
    @Test(
        arguments: [
            // Day 100: nothing is older. Day 200: all but the newest segment is older. Day 102: the first
            // days' segments are older.
            (100, 0), (200, -1), (102, 2),
        ] as [(UInt64, Int)])
    func `the segments older than a day are found with few requests`(day: UInt64, days: Int) throws {
        let board = try ServedBoard()
        var begins: [UInt32] = []
        for day in 100..<110 as Range<UInt64> {
            board.setDay(day)
            begins.append(try #require(board.segments().last).ordinal)
            try board.record(20)
        }
        let client = BoardClient.test(PipeChannel(board))
        let first = try client.firstSegment(notBefore: WallClockTime(days: day) + .seconds(7))
        let newest = try #require(board.segments().last).ordinal
        if days < 0 {
            #expect(first == newest)
        } else {
            // The segment in which a day begins still contains entries of the day before.
            #expect((begins[days]...begins[days] + 1).contains(first), "\(first) of \(begins)")
        }
    }

    @Test func `forgotten segments are not fetched again`() throws {
        let board = try ServedBoard()
        try board.record(60)
        _ = try sync(board)
        let later = HostClock.system.wallClock + .days(1)
        let plan = try #require(try archive.forgettingPlan(of: board.identity, before: later))
        try archive.forget(plan, keys: .none, now: later)
        let kept = try archive.segments(of: board.identity).count
        #expect(kept == 1)
        let again = try sync(board)
        #expect(try archive.segments(of: board.identity).count == kept)
        #expect(again.missedSegmentCount == 0)
        guard case .skipped = again.acknowledgement else { return }
        Issue.record("what was forgotten was safe before: \(again.acknowledgement)")
    }

    @Test func `the configuration is read completely and set in one request`() throws {
        let board = try ServedBoard(operatorKey: operatorKey.publicHalf)
        board.listing = Array(String(repeating: "[radio]  # a long listing\n", count: 100).utf8)
        let client = BoardClient.test(PipeChannel(board))
        #expect(try client.configuration() == board.listing)
        #expect(throws: LinkError.refused(request: "configuration", .accessDenied)) {
            try client.configure(["a.b=1"])
        }
        client.operatorKey = operatorKey
        #expect(try client.configure(["a.b=1", "c.d=2"]))
        #expect(String(decoding: board.listing.suffix(11), as: UTF8.self) == "a.b=1\nc.d=2")
        board.configurationRefusal = "a.b: no"
        #expect(throws: LinkError.refused(request: "configuration", .configurationRefused)) {
            try client.configure(["a.b=1"])
        }
        #expect(client.refusalReason == "a.b: no")
    }

    @Test func `only the operator can set secrets`() throws {
        let board = try ServedBoard(packetByteCount: 2048, operatorKey: operatorKey.publicHalf)
        let client = BoardClient.test(PipeChannel(board))
        let record = [UInt8](repeating: 7, count: 1_813)
        let key = try client.keys().board
        let identity = try client.status().logIdentity
        #expect(throws: LinkError.refused(request: "secrets", .accessDenied)) {
            try client.provision(record, boardKey: key, logIdentity: identity)
        }
        client.operatorKey = operatorKey
        #expect(try client.provision(record, boardKey: key, logIdentity: identity))
        #expect(board.secrets == record)
        board.configurationRefusal = "damaged"
        #expect(throws: LinkError.refused(request: "secrets", .secretsRefused)) {
            try client.provision(record, boardKey: key, logIdentity: identity)
        }
        #expect(client.refusalReason == "damaged")
    }

    @Test func `only acknowledged segments may be erased`() throws {
        let board = try ServedBoard()
        try board.record(30)
        let client = BoardClient.test(PipeChannel(board))
        #expect(throws: LinkError.refused(request: "erase", .notAcknowledged)) {
            try client.erase(ErasureRequest(firstKeptOrdinal: 2))
        }
        _ = try sync(board)
        var erased: UInt32 = 0
        while case let count = try client.erase(ErasureRequest(firstKeptOrdinal: 2)), count > 0 {
            erased += count
        }
        #expect(erased == 2)
        #expect(board.segments().first?.ordinal == 2)
        try board.record(2)
        let summary = try sync(board)
        #expect(summary.missedSegmentCount == 0)
        #expect(try archive.encounters().count == 32)
    }
}

extension SyncPosition {
    fileprivate init(_ position: LogPosition) {
        self.init(segmentOrdinal: position.segmentOrdinal, byteOffset: position.byteOffset)
    }
}

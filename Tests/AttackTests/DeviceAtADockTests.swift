import Archive
import BoardLink
import BoardTestSupport
import DeviceSync
import FixedMemory
import Foundation
import Sync
import Testing

/// A device at the dock that claims to be a board. It knows what anybody with a cable can read from that
/// board, and has no other key than its own.
@Suite final class DeviceAtADockTests {
    private let path = NSTemporaryDirectory() + "dock-\(UUID().uuidString).sqlite"
    private let archive: Archive
    private let board: ServedBoard

    init() throws {
        archive = try Archive(path: path)
        board = try ServedBoard()
        try board.record(30)
        _ = try sync(board, .newBoards)
        try board.record(30)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    @discardableResult
    private func sync(
        _ board: ServedBoard, _ trust: TrustPolicy = .none, acknowledges: Bool = true
    ) throws -> SyncSummary {
        var options = Synchroniser.Options()
        options.trust = trust
        options.acknowledges = acknowledges
        let client = BoardClient.test(PipeChannel(board))
        return try Synchroniser(client: client, archive: archive, options: options).run()
    }

    /// Expects that a session with the device stores nothing and sends no command, and that the true board's
    /// next session is complete.
    private func expectHarmless(_ device: ServedBoard, _ reason: Impostor.Reason) throws {
        let before = try ArchiveDump(path: path)
        for trust in [TrustPolicy.none, .newBoards] {
            #expect(throws: SyncError.impostor(Impostor(claimed: board.identity, reason: reason))) {
                try sync(device, trust)
            }
        }
        #expect(try ArchiveDump(path: path) == before)
        #expect(device.wallClock == nil && device.syncedThrough == .start)
        try expectComplete()
    }

    /// The fetch does not acknowledge, because the board would write another page for that.
    private func expectComplete() throws {
        try sync(board, acknowledges: false)
        for segment in board.segments() {
            #expect(
                try archive.bytes(ofSegment: segment.ordinal, of: board.identity)
                    == board.bytes(ofSegment: segment.ordinal))
        }
    }

    @Test func `a device with a key of its own changes nothing`() throws {
        let device = try ServedBoard()
        try device.record(200)
        try expectHarmless(device, .otherKey(#require(device.publicKeys).board.fingerprint))
    }

    @Test func `a device that refuses to prove itself changes nothing`() throws {
        let device = try ServedBoard(hasKeys: false)
        try device.record(200)
        try expectHarmless(device, .noProof)
    }

    enum Replay: CaseIterable { case overAnotherNonce, ofAnotherLog }

    @Test(arguments: Replay.allCases) func `a statement signed for somebody else is no proof`(
        _ replay: Replay
    ) throws {
        board.tampersStatement = { statement in
            switch replay {
            case .overAnotherNonce: statement.nonce[0] ^= 1
            case .ofAnotherLog: statement.logIdentity[0] ^= 1
            }
        }
        let before = try ArchiveDump(path: path)
        #expect(throws: SyncError.impostor(Impostor(claimed: board.identity, reason: .badSignature))) {
            try sync(board)
        }
        #expect(try ArchiveDump(path: path) == before)
    }

    enum Lie: CaseIterable { case longerLog, olderEnd, slowClock, fastClock }

    /// Somebody on the line lets the true board sign, and changes its other answers.
    @Test(arguments: Lie.allCases) func `answers that contradict the signed statement store nothing`(
        _ lie: Lie
    ) throws {
        board.tampersStatement = { statement in
            switch lie {
            case .longerLog: statement.head.byteOffset += 4_096
            case .olderEnd: statement.oldestSegmentOrdinal = statement.head.segmentOrdinal
            case .slowClock: statement.instant += .hours(1)
            case .fastClock: statement.instant = .start
            }
        }
        let before = try ArchiveDump(path: path)
        let clockBefore = board.wallClock
        #expect(throws: SyncError.impostor(Impostor(claimed: board.identity, reason: .contradiction))) {
            try sync(board)
        }
        #expect(try ArchiveDump(path: path) == before)
        #expect(board.wallClock == clockBefore)
        board.tampersStatement = { _ in }
        try expectComplete()
    }

    @Test func `a device that is fetched first does not take the true board's place`() throws {
        let other = try ServedBoard(identity: 77)
        let device = try ServedBoard(identity: 77)
        try device.record(5)
        try other.record(9)
        let summary = try sync(device)
        #expect(summary.isUntrusted && summary.acknowledgement == .skipped(.untrusted))
        #expect(device.syncedThrough == .start)
        #expect(try archive.boards().map(\.identity) == [board.identity])
        #expect(try sync(other, .newBoards).decoded.entryCount > 0)
        #expect(try archive.untrustedBoards().count == 1)
        #expect(throws: ArchiveError.trustedAlready(other.identity)) {
            try archive.trust(#require(archive.untrustedBoards().first))
        }
    }

    @Test func `an untrusted log counts from the moment it is trusted`() throws {
        let other = try ServedBoard(identity: 77)
        try other.record(9)
        try sync(other)
        let before = try archive.encounters().count
        let untrusted = try #require(archive.untrustedBoards().first)
        #expect(untrusted.claimedIdentity == other.identity)
        #expect(try archive.trust(untrusted) == other.identity)
        #expect(try archive.encounters().count == before + 9)
        try other.record(3)
        #expect(try !sync(other).isUntrusted)
        #expect(try archive.encounters().count == before + 12)
    }

    @Test func `two boards with copies of one card keep both logs`() throws {
        let copy = try ServedBoard(cardOf: board)
        try copy.record(40)
        try board.record(25)
        for _ in 0..<2 {
            try expectComplete()
            try sync(copy, acknowledges: false)
        }
        let branches = try archive.branches(of: board.identity)
        #expect(branches.map(\.number) == [1])
        #expect(try archive.currentBranch(of: board.identity) == 1)
        for (board, branch) in [(board, 0), (copy, 1)] {
            for segment in board.segments() {
                let stored = try archive.bytes(
                    ofSegment: segment.ordinal, of: board.identity, branch: branch)
                #expect(
                    try stored == board.bytes(ofSegment: segment.ordinal), "\(segment.ordinal) of \(branch)")
            }
        }
        let forks = try archive.verify(board.identity).findings.filter {
            if case .fork(_, isSigned: true) = $0.kind { true } else { false }
        }
        #expect(forks.count == 1)
        #expect(forks.first?.position?.segmentOrdinal == branches.first?.firstOrdinal)
    }

    @Test func `a board put back to an earlier image keeps what was fetched before`() throws {
        let image = try ServedBoard(cardOf: board)
        try board.record(40)
        try expectComplete()
        try image.record(2)
        try sync(image)
        #expect(try archive.branches(of: board.identity).count == 1)
        for segment in board.segments() {
            let stored = try archive.bytes(ofSegment: segment.ordinal, of: board.identity, branch: 0)
            #expect(try stored == board.bytes(ofSegment: segment.ordinal))
        }
    }
}

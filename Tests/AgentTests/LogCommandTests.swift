import Agent
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import TestSupport
import Testing

@testable import Radio

/// Tests the manifest of the log, the acknowledgement of fetched data, and erasing.
@Suite struct LogCommandTests {
    /// Makes an agent with a log of several segments.
    private func scene(_ options: String...) throws -> Scene {
        let world = BoardWorld()
        world.store.keys = try BoardKeys(entropy: .system)
        var scene = try Scene(
            options: ["encounters.sample_seconds=1", "log.loss_window_seconds=2"] + options, in: world)
        scene.phones = try (0..<12 as Range<UInt64>).map { try ScriptedPhone($0) }
        scene.run(milliseconds: 60_000)
        scene.phones = []
        scene.run(milliseconds: 35_000)
        return scene
    }

    private func manifest(_ scene: inout Scene, nonce: UInt8 = 1) throws -> SignedLogStatement {
        let nonce = Bytes<16>([UInt8](repeating: nonce, count: 16).span) ?? Bytes()
        let request = try SyncRequest.manifest(nonce: nonce, sequence: 5)
        let answer = try scene.ask(request)
        return try SyncResponse(answer.span, to: request).manifest()
    }

    /// - Returns: the number of segments in the board's answer, or its refusal.
    private func count(_ scene: inout Scene, _ request: SMPPacket) throws -> Result<UInt32, SMPRefusal> {
        let answer = try scene.ask(request)
        do throws(SyncResponseError) {
            return .success(try SyncResponse(answer.span, to: request).segmentCount())
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return .failure(refusal)
        }
    }

    private func acknowledge(
        _ scene: inout Scene, _ position: SyncPosition
    ) throws -> Result<UInt32, SMPRefusal> {
        try count(&scene, SyncRequest.acknowledge(position, sequence: 6))
    }

    private func erase(_ scene: inout Scene, before: UInt32, force: Bool = false) throws -> Result<
        UInt32, SMPRefusal
    > {
        try count(
            &scene,
            SyncRequest.erase(ErasureRequest(firstKeptOrdinal: before, isForced: force), sequence: 7))
    }

    // MARK: Manifest

    @Test func `the manifest is signed by the board and has the client's nonce`() throws {
        var scene = try scene()
        let signed = try manifest(&scene, nonce: 9)
        let key = try #require(scene.world.store.keys?.publicHalves.board)
        let bytes = signed.bytes
        try key.verify(signed.signature, digest: LogStatement.digest(of: bytes.span))
        let statement = try LogStatement(bytes.span)
        #expect(statement.logIdentity[0] == 0xab)
        #expect(statement.bootIdentifier == 7)
        #expect(statement.nonce == Bytes<16>([UInt8](repeating: 9, count: 16).span))
        #expect(statement.oldestSegmentOrdinal == 0)
        #expect(statement.acknowledgedThrough == SyncPosition())
        // The manifest ends with the last page on the medium.
        let page = try #require(scene.world.medium.lastPage)
        #expect(statement.head.segmentOrdinal == page.position.segmentOrdinal)
        #expect(Int(statement.head.byteOffset) == Int(page.position.byteOffset) + page.byteCount)
        #expect((0..<16).map { statement.chainValue[$0] } == page.chainValue)
    }

    @Test func `the manifest covers the newest entries`() throws {
        var scene = try scene("log.loss_window_seconds=300")
        scene.phones = [try ScriptedPhone(77)]
        scene.run(milliseconds: 2_000)
        let before = scene.world.medium.entries.compactMap(\.opened).count
        _ = try manifest(&scene)
        #expect(scene.world.medium.entries.compactMap(\.opened).count == before + 1)
    }

    @Test func `a board without keys refuses a manifest`() throws {
        var scene = try Scene()
        #expect(throws: SyncResponseError.refused(.notSupported)) { try self.manifest(&scene) }
    }

    // MARK: Acknowledgement

    @Test func `an acknowledgement is on the medium before it is answered`() throws {
        var scene = try scene()
        let statement = try LogStatement(manifest(&scene).bytes.span)
        #expect(statement.head.segmentOrdinal > 1)
        #expect(try acknowledge(&scene, statement.head) == .success(statement.head.segmentOrdinal))
        let entry = try #require(scene.world.medium.entries.compactMap(\.acknowledgement).last)
        #expect(entry.position.segmentOrdinal == statement.head.segmentOrdinal)
        #expect(entry.position.byteOffset == statement.head.byteOffset)
        #expect(entry.operatorFingerprint == Bytes())
        #expect(try scene.boardStatus().syncedThrough == statement.head)

        // After a power cut the next start knows the acknowledged position.
        let world = scene.world
        world.cutPower()
        scene = try Scene(options: [], in: world, boot: 8)
        scene.run(milliseconds: 1_000)
        #expect(try scene.boardStatus().syncedThrough == statement.head)
        #expect(try LogStatement(manifest(&scene).bytes.span).acknowledgedThrough == statement.head)
    }

    @Test func `a repeated acknowledgement writes nothing`() throws {
        var scene = try scene()
        let statement = try LogStatement(manifest(&scene).bytes.span)
        for _ in 0..<3 { _ = try acknowledge(&scene, statement.head) }
        #expect(scene.world.medium.entries.compactMap(\.acknowledgement).count == 1)
    }

    @Test func `an acknowledgement within a segment waits for the next page`() throws {
        var scene = try scene()
        let first = SyncPosition(segmentOrdinal: 1, byteOffset: 1024)
        let second = SyncPosition(segmentOrdinal: 1, byteOffset: 2048)
        _ = try acknowledge(&scene, first)
        scene.run(milliseconds: 3_000)
        let before = scene.world.medium.bytes
        #expect(try acknowledge(&scene, second) == .success(1))
        #expect(try scene.boardStatus().syncedThrough == second)
        #expect(scene.world.medium.bytes == before)
        scene.run(milliseconds: 3_000)
        #expect(
            scene.world.medium.entries.compactMap(\.acknowledgement).map(\.position.byteOffset) == [
                1024, 2048,
            ])
        let after = scene.world.medium.bytes

        // After a power cut before the write, the board reports the earlier position, so the host
        // acknowledges again.
        let world = scene.world
        for (bytes, position) in [(before, first), (after, second)] {
            world.cutPower()
            world.medium.bytes = bytes
            var next = try Scene(options: [], in: world, boot: 8)
            next.run(milliseconds: 1_000)
            #expect(try next.boardStatus().syncedThrough == position)
        }
    }

    @Test func `manifests and acknowledgements of a docked board cost few page writes`() throws {
        var scene = try scene()
        var heads: [SyncPosition] = []
        let before = scene.world.medium.programCount
        for _ in 0..<12 {
            let head = try LogStatement(manifest(&scene).bytes.span).head
            _ = try acknowledge(&scene, head)
            heads.append(head)
            scene.run(milliseconds: 3_000)
        }
        // The empty room is confirmed every ten seconds, and written with the next entry.
        #expect(scene.world.medium.programCount - before <= 9)
        #expect(try scene.boardStatus().syncedThrough == heads.last)
    }

    @Test func `a position outside the log cannot be acknowledged`() throws {
        var scene = try scene()
        let head = try LogStatement(manifest(&scene).bytes.span).head
        _ = try acknowledge(&scene, head)
        for wrong in [
            SyncPosition(segmentOrdinal: 0, byteOffset: 1024),
            SyncPosition(segmentOrdinal: head.segmentOrdinal + 9),
            SyncPosition(segmentOrdinal: .max, byteOffset: .max),
        ] { #expect(try acknowledge(&scene, wrong) == .failure(.positionUnknown)) }
        #expect(try scene.boardStatus().syncedThrough == head)
    }

    // MARK: Erasing

    @Test func `the board erases only acknowledged segments`() throws {
        var scene = try scene()
        #expect(try erase(&scene, before: 2) == .failure(.notAcknowledged))
        let head = try LogStatement(manifest(&scene).bytes.span).head
        _ = try acknowledge(&scene, SyncPosition(segmentOrdinal: 1, byteOffset: 1024))
        #expect(try erase(&scene, before: head.segmentOrdinal) == .success(1))
        let gap = try #require(scene.world.medium.entries.compactMap(\.gap).last)
        #expect(gap.cause == .command)
        #expect(gap.isAcknowledged)
        #expect(gap.firstSegmentOrdinal == 0)
        #expect(gap.segmentCount == 1)
        #expect(try erase(&scene, before: head.segmentOrdinal) == .failure(.notAcknowledged))
        #expect(try erase(&scene, before: 1) == .success(0))
    }

    @Test func `a forced erasure leaves only the newest segment, and the log continues`() throws {
        var scene = try scene()
        let before = try scene.boardStatus().segmentCount
        #expect(before > 2)
        var erased: UInt32 = 0
        while case .success(let count) = try erase(&scene, before: .max, force: true), count > 0 {
            erased += count
        }
        #expect(erased >= before - 1)
        #expect(try scene.boardStatus().segmentCount == 1)
        #expect(scene.world.medium.entries.compactMap(\.gap).contains { !$0.isAcknowledged })
        let world = scene.world
        world.cutPower()
        scene = try Scene(
            options: ["encounters.sample_seconds=1", "log.loss_window_seconds=2"], in: world, boot: 8)
        scene.phones = [try ScriptedPhone(3)]
        scene.run(milliseconds: 20_000)
        #expect(try scene.boardStatus().logIdentity[0] == 0xab)
        #expect(world.medium.entries.compactMap(\.boot).map(\.bootIdentifier).last == 8)
    }

    // MARK: Erased ranges and age

    @Test func `the log records the range of segments overwritten before a fetch`() throws {
        // The ring has 32 segments of 2 KiB.
        let world = BoardWorld(blockByteCount: 256)
        var scene = try Scene(
            options: ["encounters.sample_seconds=1", "log.loss_window_seconds=1"], in: world)
        scene.phones = try (0..<40 as Range<UInt64>).map { try ScriptedPhone($0) }
        for _ in 0..<200 where try scene.boardStatus().lostSegmentCount == 0 {
            scene.run(milliseconds: 10_000)
        }
        let gap = try #require(world.medium.entries.compactMap(\.gap).first)
        #expect(gap.cause == .room)
        #expect(!gap.isAcknowledged)
        #expect(gap.firstSegmentOrdinal == 0)
        #expect(gap.byteCount == UInt64(gap.segmentCount) * 8 * 256)
        #expect(gap.entryCount > 50)
        #expect(gap.first.bootIdentifier == 7)
        #expect(try scene.boardStatus().lostSegmentCount >= gap.segmentCount)
    }

    @Test func `segments older than the retention period are erased`() throws {
        let world = BoardWorld()
        world.wallOffset = 1_795_000_000_000
        var scene = try Scene(
            options: ["encounters.sample_seconds=1", "log.loss_window_seconds=2", "log.retention_days=14"],
            in: world)
        scene.run(milliseconds: 5_000)
        for _ in 0..<3 {
            scene.phones = try (0..<12 as Range<UInt64>).map { try ScriptedPhone($0) }
            scene.run(milliseconds: 60_000)
            scene.phones = []
            world.now += .days(13)
            scene.run(milliseconds: 130 * 60_000)
        }
        let gaps = world.medium.entries.compactMap(\.gap)
        #expect(!gaps.isEmpty)
        #expect(gaps.allSatisfy { $0.cause == .retention })
        // The encounters of the last round remain; those of the first round are erased.
        let newest = world.now
        let opened = world.medium.entries.compactMap(\.opened).map(\.instant)
        #expect(opened.filter { newest - $0 < .days(14) }.count >= 12)
        #expect(opened.allSatisfy { newest - $0 < .days(30) })
    }

    @Test func `nothing is erased until a newly set clock has been steady for an interval`() throws {
        let world = BoardWorld()
        world.wallOffset = 1_795_000_000_000
        var scene = try Scene(
            options: ["encounters.sample_seconds=1", "log.loss_window_seconds=2", "log.retention_days=14"],
            in: world)
        scene.phones = try (0..<12 as Range<UInt64>).map { try ScriptedPhone($0) }
        scene.run(milliseconds: 60_000)
        scene.phones = []
        let count = try scene.boardStatus().segmentCount
        #expect(count > 1)
        world.wallOffset = 1_795_000_000_000 + 40 * 86_400_000
        scene.run(milliseconds: 3_700_000)
        #expect(try scene.boardStatus().segmentCount >= count)
        world.wallOffset = 1_795_000_000_000
        scene.run(milliseconds: 10 * 3_600_000)
        #expect(try scene.boardStatus().segmentCount >= count)
    }

    @Test func `each boot logs its configuration`() throws {
        for options in [[], ["log.retention_days=14"]] {
            var scene = try Scene(options: options)
            scene.run(milliseconds: 100)
            scene.stop()
            let entries = scene.world.medium.entries
            let entry = try #require(entries.compactMap(\.configuration).first)
            #expect(entry.retentionDays == (options.isEmpty ? 28 : 14))
            #expect(entry.scans && entry.advertises)
            #expect(entry.scanWindowSlots == 80)
            #expect(entry.peerCapacity == 4096)
            #expect(entries.firstIndex { $0.boot != nil } == 0)
        }
    }
}

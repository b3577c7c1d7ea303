import DeviceSync
import EncounterLog
import FixedMemory
import TestSupport
import Testing

@Suite struct SyncTests {
    /// Makes an agent with several segments of log.
    private func busyScene() throws -> Scene {
        var scene = try Scene("encounters.sample_seconds=1", "log.loss_window_seconds=10")
        scene.phones = try (0..<12 as Range<UInt64>).map { try ScriptedPhone($0) }
        scene.run(milliseconds: 60_000)
        scene.phones = []
        scene.run(milliseconds: 45_000)
        return scene
    }

    @Test func `fetched segments equal the bytes on flash`() throws {
        var scene = try busyScene()
        let index = String(decoding: try scene.fetch("/index"), as: UTF8.self).split(separator: "\n")
        #expect(index.first?.hasPrefix("tabard-index 2 log=ab00") == true)
        #expect(index.first?.contains("boot=0000000000000007 block=01024 unit=01024") == true)
        let geometry = scene.world.medium.geometry
        var all: [UInt8] = []
        for line in index.dropFirst() {
            let fields = line.split(separator: " ")
            let ordinal = try #require(Int(fields[1]))
            let byteCount = try #require(Int(fields[2]))
            let segment = try scene.fetch("/log/\(fields[1])")
            let start = ordinal % geometry.segmentCount * geometry.segmentByteCount
            #expect(segment == Array(scene.world.medium.bytes[start..<start + byteCount]))
            all += segment
        }
        #expect(index.count >= 3)
        #expect(try scene.fetch("/log") == all)
    }

    @Test func `an index from a given segment lists only that one and later ones`() throws {
        var scene = try busyScene()
        let whole = String(decoding: try scene.fetch("/index"), as: UTF8.self).split(separator: "\n")
        #expect(whole.count >= 3)
        let later = String(decoding: try scene.fetch("/index/00000001"), as: UTF8.self)
        #expect(later.split(separator: "\n") == Array(whole[..<1] + whole[2...]))
        let none = String(decoding: try scene.fetch("/index/00004000"), as: UTF8.self)
        #expect(none.split(separator: "\n") == [whole[0]])
    }

    @Test func `fetching the index writes the newest entries to the medium`() throws {
        var scene = try Scene("log.loss_window_seconds=300")
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 3_000)
        #expect(scene.world.medium.entries.isEmpty)
        _ = try scene.fetch("/index")
        #expect(scene.world.medium.entries.compactMap(\.opened).count == 1)
    }

    @Test func `fetching the log without its index includes the newest entries`() throws {
        var scene = try Scene("log.loss_window_seconds=300")
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 10_000)
        let log = try scene.fetch("/log")
        let read = ReadPages(segment: log, ordinal: 0, geometry: scene.world.medium.geometry)
        #expect(read.entries.compactMap(\.opened).count == 1)
    }

    @Test func `repeated fetches cost at most one page write`() throws {
        var scene = try busyScene()
        scene.phones = [try ScriptedPhone(50)]
        scene.run(milliseconds: 1_000)
        _ = try scene.fetch("/index")
        let count = scene.world.medium.programCount
        for _ in 0..<5 { _ = try scene.fetch("/log/00000000") }
        #expect(scene.world.medium.programCount <= count + 1)
    }

    @Test func `the time that a client sets becomes an anchor at once`() throws {
        var scene = try Scene("log.loss_window_seconds=300")
        scene.run(milliseconds: 3_000)
        let told: WallClockTime = 1_795_000_000_123
        let request = try SyncRequest.setClock(told, errorMilliseconds: 40, sequence: 3)
        let before = scene.world.now
        let answer = try scene.ask(request)
        _ = try SyncResponse(answer.span, to: request)
        let board = try scene.boardStatus()
        let elapsed = scene.world.now - before
        scene.stop()
        let anchors = scene.world.medium.entries.compactMap(\.anchor)
        #expect(anchors.count == 1)
        #expect(anchors.first?.wallClock == told)
        #expect(anchors.first?.errorMilliseconds == 40)
        #expect(anchors.first?.source == .host)
        #expect(anchors.first.map { $0.instant - before <= 10 } == true)
        #expect(board.wallClock.map { (told...told + elapsed).contains($0) } == true)
    }

    @Test
    func `a time set for an earlier moment is an anchor at that moment, even if it comes late or twice`()
        throws
    {
        var scene = try Scene("log.loss_window_seconds=300")
        scene.run(milliseconds: 3_000)
        let ask = SyncRequest.time(sequence: 3)
        let reply = try scene.ask(ask)
        let time = try SyncResponse(reply.span, to: ask).time()
        #expect(time.bootIdentifier == 7)
        #expect(time.received <= time.sent)
        scene.run(milliseconds: 2_000)
        let told: WallClockTime = 1_795_000_000_123
        let setting = WallClockSetting(
            time: told, errorMilliseconds: 2, moment: BoardMoment(bootIdentifier: 7, instant: time.received))
        for sequence in UInt8(4)...5 {
            let request = try SyncRequest.setClock(setting, sequence: sequence)
            let answer = try scene.ask(request)
            _ = try SyncResponse(answer.span, to: request)
            scene.run(milliseconds: 500)
        }
        let board = try scene.boardStatus()
        #expect(board.wallClock == told + (board.instant - time.received))
        scene.stop()
        let anchors = scene.world.medium.entries.compactMap(\.anchor)
        #expect(anchors.count == 2)
        for anchor in anchors {
            #expect(anchor.instant == time.received)
            #expect(anchor.wallClock == told)
            #expect(anchor.errorMilliseconds == 2)
        }
    }

    @Test func `a time before any board was built is refused`() throws {
        var scene = try Scene()
        let request = try SyncRequest.setClock(86_400_000, errorMilliseconds: 40, sequence: 3)
        let answer = try scene.ask(request)
        #expect(throws: SyncResponseError.self) { _ = try SyncResponse(answer.span, to: request) }
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.anchor).isEmpty)
    }

    @Test func `the status has the current counts of peers, encounters and reports`() throws {
        var scene = try Scene()
        scene.phones = [try ScriptedPhone(1), try ScriptedPhone(2, advert: [2, 1, 6])]
        scene.run(milliseconds: 10_000)
        let status = try scene.boardStatus()
        #expect(status.bootIdentifier == 7)
        #expect(status.peerCount == 2)
        #expect(status.openEncounterCount == 1)
        #expect(status.encounterCount == 1)
        #expect(Int(status.reportCount) == Int(scene.controller.truth.reportsMade))
        #expect(status.wallClock == nil)
        #expect(status.radioResetCount == 0)
    }

    @Test(arguments: ["/", "", "/log/1", "/log/0000000x", "/log/99999999", "/logs", "/index/"])
    func `other paths are not found`(_ path: String) throws {
        var scene = try Scene()
        scene.run(milliseconds: 100)
        #expect(throws: SyncResponseError.self) { _ = try scene.fetch(path) }
    }

    @Test func `a line that takes a few bytes at a time gets the whole answer`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 100)
        scene.world.board.line.faults.longestPiece = 7
        let request = SyncRequest.boardStatus(sequence: 4)
        let answer = try scene.ask(request, atMost: 60_000)
        #expect(!answer.isEmpty)
    }

    @Test func `noise on the line does not disturb the agent`() throws {
        let seed: UInt64 = 3
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var scene = try Scene()
        for _ in 0..<200 {
            scene.world.board.line.send(generator.bytes(300))
            scene.run(milliseconds: 10)
        }
        scene.world.board.line.send([0x0a])
        let request = SyncRequest.boardStatus(sequence: 4)
        let answer = try scene.ask(request)
        #expect(!answer.isEmpty)
        #expect(scene.controller.isScanning)
    }

    @Test func `the agent works without a sync port`() throws {
        var scene = try Scene()
        scene.world.board.line.isOpen = false
        scene.run(milliseconds: 1_000)
        #expect(scene.controller.isScanning)
    }
}

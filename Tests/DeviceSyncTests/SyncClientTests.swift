import DeviceSync
import FixedMemory
import TestSupport
import Testing

@Suite struct SyncClientTests {
    @Test func `requests are those of the stock client`() throws {
        let vectors = Dictionary(
            uniqueKeysWithValues: try SMPVectors.load().requests.map { ($0.name, $0.packet) })
        let packets: [(String, SMPPacket)] = [
            ("echo", try SyncRequest.echo(Array("Grüße".utf8).span, sequence: 1)),
            (
                "download",
                try SyncRequest.download(path: Array("/log/00000012".utf8).span, offset: 0, sequence: 7)
            ),
            ("status", try SyncRequest.fileStatus(path: Array("/log".utf8).span, sequence: 9)),
        ]
        for (name, packet) in packets { #expect(array(packet.span).hex == vectors[name], "\(name)") }
    }

    @Test func `an echo is returned`() throws {
        var conversation = Conversation(MemoryStore())
        let request = try SyncRequest.echo(Array("hi Grüße".utf8).span, sequence: 250)
        let answer = try conversation.ask(request)
        let echo = text(try SyncResponse(answer.span, to: request).echo())
        #expect(echo == "hi Grüße")
    }

    @Test func `the parameters state the longest packet`() throws {
        var conversation = Conversation(MemoryStore(), packetByteCount: 512)
        let request = SyncRequest.parameters(sequence: 1)
        let answer = try conversation.ask(request)
        let parameters = try SyncResponse(answer.span, to: request).parameters()
        #expect(parameters == SyncParameters(packetByteCount: 512, packetCount: 1))
    }

    @Test func `the clock is read and set`() throws {
        var conversation = Conversation(MemoryStore())
        let set = try SyncRequest.writeDateTime(1_795_255_200_123, sequence: 1)
        _ = try conversation.ask(set)
        let withoutError = conversation.store.clockErrorMilliseconds
        #expect(withoutError == nil)
        let read = SyncRequest.readDateTime(sequence: 2)
        let answer = try conversation.ask(read)
        #expect(try SyncResponse(answer.span, to: read).dateTime() == 1_795_255_200_123)

        let bounded = try SyncRequest.setClock(5, errorMilliseconds: 20, sequence: 3)
        let done = try conversation.ask(bounded)
        _ = try SyncResponse(done.span, to: bounded)
        let (wall, error) = (conversation.store.wallClock, conversation.store.clockErrorMilliseconds)
        #expect(wall == 5)
        #expect(error == 20)
    }

    @Test func `the time answer has the times of the request's arrival and of the answer`() throws {
        var store = MemoryStore()
        store.status.bootIdentifier = 0xfedc_ba98_7654_3210
        store.status.instant = 86_400_000
        store.turnaround = 4
        var conversation = Conversation(store)
        let request = SyncRequest.time(sequence: 9)
        let answer = try conversation.ask(request)
        #expect(
            try SyncResponse(answer.span, to: request).time()
                == TimeAnswer(bootIdentifier: 0xfedc_ba98_7654_3210, received: 86_400_000, sent: 86_400_004))
    }

    @Test func `a clock setting may refer to a moment of the board's monotonic clock`() throws {
        var store = MemoryStore()
        store.status.bootIdentifier = 7
        store.status.instant = 5_000
        var conversation = Conversation(store)
        let moment = BoardMoment(bootIdentifier: 7, instant: 4_321)
        let request = try SyncRequest.setClock(
            WallClockSetting(time: 1_795_255_200_123, errorMilliseconds: 2, moment: moment), sequence: 1)
        let answer = try conversation.ask(request)
        _ = try SyncResponse(answer.span, to: request)
        let (wall, told) = (conversation.store.wallClock, conversation.store.clockMoment)
        #expect(wall == 1_795_255_200_123)
        #expect(told == moment)
    }

    @Test func `the length of a file is its status`() throws {
        var conversation = Conversation(MemoryStore(files: ["/a": [1, 2, 3]]))
        let request = try SyncRequest.fileStatus(path: Array("/a".utf8).span, sequence: 1)
        let answer = try conversation.ask(request)
        #expect(try SyncResponse(answer.span, to: request).fileByteCount() == 3)
    }

    @Test func `the board's status is returned completely`() throws {
        var status = BoardStatus()
        status.logIdentity[3] = 77
        status.bootIdentifier = .max
        status.instant = 123_456_789_012
        status.softwareVersion[1] = 2
        status.reportCount = .max
        status.malformedReportCount = 1
        status.droppedEntryCount = 2
        status.evictedPeerCount = 3
        status.peerCount = 4
        status.openEncounterCount = 5
        status.encounterCount = 6
        status.radioResetCount = 7
        status.uncommittedEntryCount = 8
        status.segmentCount = 9
        status.erasedSegmentCount = 10
        status.radioState = .recovering
        status.radioFault = 7
        status.scanRestartCount = 11
        status.rolesRestartCount = 12
        status.controllerResetCount = 13
        status.reopenCount = 14
        status.powerCycleCount = 15
        status.turnedAwayCount = 16
        status.refusedIdentityCount = 17
        status.duplicateIdentityCount = 18
        for wall in [nil, 1_795_255_200_123] as [WallClockTime?] {
            status.wallClock = wall
            var store = MemoryStore()
            store.status = status
            var conversation = Conversation(store)
            let request = SyncRequest.boardStatus(sequence: 1)
            let answer = try conversation.ask(request)
            #expect(try SyncResponse(answer.span, to: request).boardStatus() == status)
        }
    }

    @Test func `an answer to another request is unexpected`() throws {
        var conversation = Conversation(MemoryStore())
        let request = SyncRequest.parameters(sequence: 1)
        let answer = try conversation.ask(request)
        for other in [SyncRequest.parameters(sequence: 2), SyncRequest.readDateTime(sequence: 1)] {
            #expect(throws: SyncResponseError.unexpected) {
                _ = try SyncResponse(answer.span, to: other).parameters()
            }
        }
        let itself = array(request.span)
        #expect(throws: SyncResponseError.unexpected) {
            _ = try SyncResponse(itself.span, to: request).parameters()
        }
    }

    @Test func `damaged answers are malformed and never trap`() throws {
        let seed: UInt64 = 8
        var generator = SeededGenerator(seed: seed)
        var conversation = Conversation(MemoryStore(files: ["/a": [UInt8](repeating: 1, count: 100)]))
        let download = try SyncRequest.download(path: Array("/a".utf8).span, offset: 0, sequence: 1)
        let status = SyncRequest.boardStatus(sequence: 2)
        for request in [download, status] {
            let answer = try conversation.ask(request)
            for cut in 0..<answer.count {
                let part = Array(answer[..<cut])
                #expect(throws: SyncResponseError.malformed) {
                    _ = try SyncResponse(part.span, to: request).fileByteCount()
                }
            }
            for _ in 0..<5000 {
                var bytes = answer
                for _ in 0..<3 {
                    bytes[Int.random(in: 8..<bytes.count, using: &generator)] =
                        .random(in: .min ... .max, using: &generator)
                }
                do throws(SyncResponseError) {
                    let response = try SyncResponse(bytes.span, to: request)
                    _ = try response.boardStatus()
                    _ = try response.download().offset
                } catch {
                    #expect(error != .unexpected, "seed \(seed)")
                }
            }
        }
    }

    @Test func `both forms of a refusal are read`() throws {
        let request = try SyncRequest.fileStatus(path: Array("/a".utf8).span, sequence: 0)
        let second = [UInt8](hex: "09 00 0011 0008 00 01 a163657272a26567726f75700862726303")
        #expect(throws: SyncResponseError.refused(.fileNotFound)) {
            _ = try SyncResponse(second.span, to: request).fileByteCount()
        }
        let first = [UInt8](hex: "01 00 0005 0008 00 01 a162726305")
        #expect(throws: SyncResponseError.refused(.noEntry)) {
            _ = try SyncResponse(first.span, to: request).fileByteCount()
        }
        let fine = [UInt8](hex: "01 00 000a 0008 00 01 a2627263 00 636c656e 07")
        #expect(try SyncResponse(fine.span, to: request).fileByteCount() == 7)
    }
}

import DeviceSync
import FixedMemory
import TestSupport
import Testing

@Suite struct RefusalTests {
    /// Sends a packet with this body and returns the refusal.
    private func refusal(
        _ operation: SMPOperation, _ command: SMPCommand, body: String, version: UInt8 = 1,
        store: consuming MemoryStore = MemoryStore(files: ["/a": [1, 2, 3]])
    ) throws -> SMPRefusal? {
        var request = SMPPacket(SMPHeader(operation, command, sequence: 9, version: version))
        try request.append([UInt8](hex: body).span)
        var conversation = Conversation(store)
        let answer = try conversation.ask(request)
        #expect(answer[0] >> 3 == version)
        do throws(SyncResponseError) {
            _ = try SyncResponse(answer.span, to: request).fileByteCount()
        } catch {
            if case .refused(let refusal) = error { return refusal }
        }
        return nil
    }

    private let noSuchFile = "a2 636f6666 00 646e616d65 622f62"  // {"off": 0, "name": "/b"}

    @Test func `a missing file is reported in both versions of the protocol`() throws {
        for command in [SMPCommand.fileTransfer, .fileStatus, .fileHash] {
            #expect(try refusal(.read, command, body: noSuchFile) == .fileNotFound)
            #expect(try refusal(.read, command, body: noSuchFile, version: 0) == .noEntry)
        }
    }

    @Test func `an offset behind the end is refused`() throws {
        let body = "a2 636f6666 04 646e616d65 622f61"
        for command in [SMPCommand.fileTransfer, .fileHash] {
            #expect(try refusal(.read, command, body: body) == .fileOffsetPastEnd)
            #expect(try refusal(.read, command, body: body, version: 0) == .invalidValue)
        }
        let huge = "a2 636f6666 1bffffffffffffffff 646e616d65 622f61"
        #expect(try refusal(.read, .fileTransfer, body: huge) == .fileOffsetPastEnd)
    }

    @Test func `write requests are refused`() throws {
        let body = "a4 636f6666 00 6464617461 4101 646e616d65 622f61 636c656e 01"
        #expect(try refusal(.write, .fileTransfer, body: body) == .fileSystemReadOnly)
        #expect(try refusal(.write, .reset, body: "a0") == .notSupported)
    }

    @Test func `unknown commands, groups and versions are refused`() throws {
        #expect(try refusal(.read, SMPCommand(group: 1, command: 0), body: "a0") == .notSupported)
        #expect(try refusal(.read, SMPCommand(group: 0, command: 99), body: "a0") == .notSupported)
        #expect(try refusal(.read, SMPCommand(group: 65_535, command: 255), body: "") == .notSupported)
        #expect(try refusal(.write, .parameters, body: "a0", version: 0) == .notSupported)
        #expect(try refusal(.read, .parameters, body: "a0", version: 2) == .versionTooNew)
    }

    @Test func `unknown hashes are refused`() throws {
        let body = "a2 6474797065 636d6435 646e616d65 622f61"  // {"type": "md5", "name": "/a"}
        #expect(try refusal(.read, .fileHash, body: body) == .hashTypeNotFound)
    }

    @Test(arguments: [
        "", "a0", "00", "ff", "a1646e616d65", "a1646e616d6501", "a2 636f6666 20 646e616d65 622f61",
    ]) func `malformed bodies are invalid`(body: String) throws {
        #expect(try refusal(.read, .fileTransfer, body: body) == .invalidValue)
    }

    @Test func `empty paths and paths that are too long are invalid`() throws {
        let long = "a2 636f6666 00 646e616d65 7881" + String(repeating: "61", count: 129)
        #expect(try refusal(.read, .fileTransfer, body: long) == .fileNameInvalid)
        #expect(try refusal(.read, .fileTransfer, body: "a2 636f6666 00 646e616d65 60") == .fileNameInvalid)
    }

    @Test func `an echo that is too long for an answer is refused`() throws {
        var conversation = Conversation(MemoryStore(), packetByteCount: 64)
        let request = try SyncRequest.echo([UInt8](repeating: 0x61, count: 60).span, sequence: 1)
        let answer = try conversation.ask(request)
        #expect(throws: SyncResponseError.refused(.answerTooLarge)) {
            _ = try SyncResponse(answer.span, to: request).fileByteCount()
        }
    }

    @Test func `an unknown clock and a clock that cannot be set are reported`() throws {
        #expect(try refusal(.read, .dateTime, body: "a0") == .clockNotSet)
        #expect(try refusal(.read, .dateTime, body: "a0", version: 0) == .noEntry)
        var store = MemoryStore()
        store.isClockRefused = true
        #expect(try refusal(.write, .clock, body: "a1 6477616c6c 01", store: store) == .clockFailed)
        let yesterday = "a1 686461746574696d65 69796573746572646179"
        #expect(try refusal(.write, .dateTime, body: yesterday) == .dateTimeFormat)
    }

    @Test func `the refusal of a time states the times that a board accepts`() throws {
        var store = MemoryStore()
        store.isClockRefused = true
        var request = SMPPacket(SMPHeader(.write, .clock, sequence: 9))
        try request.append([UInt8](hex: "a1 6477616c6c 01").span)
        var conversation = Conversation(store)
        let answer = try conversation.ask(request)
        // "rsn", which stock clients print, and a text of 49 bytes.
        let text = [UInt8]("the time must be in one of the years 2020 to 2099".utf8)
        #expect(Array(answer.suffix(55)) == [UInt8](hex: "6372736e 7831") + text)
    }

    @Test func `a clock setting for another boot or for a future moment is refused`() throws {
        var store = MemoryStore()
        store.status.bootIdentifier = 7
        store.status.instant = 100
        // The body is wall 1, ms 24, boot 8; the later bodies have boot 7.
        let other = "a3 6477616c6c 01 626d73 1818 64626f6f74 08"
        #expect(try refusal(.write, .clock, body: other, store: store) == .clockOfAnotherStart)
        let sameStore = { () -> MemoryStore in
            var store = MemoryStore()
            store.status.bootIdentifier = 7
            store.status.instant = 23
            return store
        }
        let ahead = "a3 6477616c6c 01 626d73 1818 64626f6f74 07"
        #expect(try refusal(.write, .clock, body: ahead, store: sameStore()) == .invalidValue)
        let momentOnly = "a2 6477616c6c 01 626d73 01"
        #expect(try refusal(.write, .clock, body: momentOnly, store: sameStore()) == .invalidValue)
        let bootOnly = "a2 6477616c6c 01 64626f6f74 07"
        #expect(try refusal(.write, .clock, body: bootOnly, store: sameStore()) == .invalidValue)
    }

    @Test func `a clock's error has 32 bits`() throws {
        let body = "a2 6477616c6c 01 656572726f72 1b0000000100000000"
        #expect(try refusal(.write, .clock, body: body) == .invalidValue)
    }
}

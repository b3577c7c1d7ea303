import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

@Suite struct SyncServerTests {
    private let log = (0..<405_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

    private func store() -> MemoryStore {
        var store = MemoryStore(files: [
            "/log": log, "/log/00000012": Array(log.prefix(65_536)), "/empty": [],
        ])
        store.wallClock = 1_795_255_200_500
        return store
    }

    @Test func `requests of the stock client are answered`() throws {
        for vector in try SMPVectors.load().requests {
            var conversation = Conversation(store())
            let answers = conversation.send([UInt8](hex: vector.serial))
            #expect(answers.count == 1, "\(vector.name)")
            if let expected = vector.answer { #expect(answers.first?.hex == expected, "\(vector.name)") }
        }
    }

    @Test func `a request is answered wherever it is cut`() throws {
        for vector in try SMPVectors.load().requests.prefix(3) {
            let serial = [UInt8](hex: vector.serial)
            for cut in 0...serial.count {
                var conversation = Conversation(store())
                let early = conversation.send(Array(serial[..<cut]))
                let late = conversation.send(Array(serial[cut...]))
                #expect((early + late).count == 1, "\(vector.name) cut at \(cut)")
            }
        }
    }

    @Test func `requests that arrive together are all answered`() throws {
        var conversation = Conversation(store())
        let bytes = try (1...5).flatMap { try line(SyncRequest.parameters(sequence: $0)) }
        let answers = conversation.send(bytes)
        #expect(answers.map { $0[6] } == [1, 2, 3, 4, 5])
    }

    @Test(arguments: [64, 100, 256, 512, 1024, 2048, 5000])
    func `a download has the bytes of the file`(packetByteCount: Int) throws {
        let file = Array(log.prefix(20_000))
        var conversation = Conversation(MemoryStore(files: ["/log": file]), packetByteCount: packetByteCount)
        var received: [UInt8] = []
        var total: UInt64?
        repeat {
            let request = try SyncRequest.download(
                path: Array("/log".utf8).span, offset: UInt64(received.count), sequence: 1)
            let answer = try conversation.ask(request)
            #expect(answer.count <= min(packetByteCount, 2048))
            let chunk = try SyncResponse(answer.span, to: request).download()
            let offset = chunk.offset
            #expect(offset == UInt64(received.count))
            total = chunk.fileByteCount ?? total
            guard !chunk.data.isEmpty else { break }
            received += array(chunk.data)
        } while UInt64(received.count) < total ?? 0
        #expect(received == file)
        #expect(conversation.store.preparedPaths == ["/log"])
    }

    @Test func `an empty file and the end of a file are empty chunks`() throws {
        var conversation = Conversation(store())
        for (path, offset) in [("/empty", 0), ("/log", log.count)] {
            let request = try SyncRequest.download(
                path: Array(path.utf8).span, offset: UInt64(offset), sequence: 1)
            let answer = try conversation.ask(request)
            let chunk = try SyncResponse(answer.span, to: request).download()
            let isEmpty = chunk.data.isEmpty
            #expect(isEmpty)
        }
    }

    @Test func `hashes equal those of the bytes, in bounded steps`() throws {
        for (offset, byteCount) in [(0, nil), (1, 5000), (400_000, 1_000_000), (405_000, nil), (7, 0)]
            as [(Int, Int?)]
        {
            let part = log[offset...].prefix(byteCount ?? log.count)
            for type in [FileHashType.sha256, .crc32] {
                var conversation = Conversation(store())
                let request = try SyncRequest.fileHash(
                    path: Array("/log".utf8).span, type: type, offset: UInt64(offset),
                    byteCount: byteCount.map { UInt64($0) }, sequence: 1)
                let answer = try conversation.ask(request)
                let (hash, count) = try SyncResponse(answer.span, to: request).fileHash()
                #expect(count == UInt64(part.count))
                switch type {
                case .sha256: #expect(hash == .sha256(SHA256.digest(of: Array(part).span)))
                case .crc32:
                    var checksum = CRC32()
                    checksum.update(Array(part).span)
                    #expect(hash == .crc32(checksum.value))
                }
                let largestRead = conversation.store.largestRead
                #expect(largestRead <= 2048)
            }
        }
    }

    @Test func `CRC-32 has the standard check value`() {
        var checksum = CRC32()
        checksum.update(Array("123456789".utf8).span)
        #expect(checksum.value == 0xCBF4_3926)
    }

    @Test func `a new request replaces a hash in progress`() throws {
        var conversation = Conversation(store())
        try conversation.begin(
            try SyncRequest.fileHash(path: Array("/log".utf8).span, type: .sha256, sequence: 1))
        conversation.step()
        let wasWorking = conversation.server.hasWork
        try conversation.begin(SyncRequest.parameters(sequence: 2))
        let isWorking = conversation.server.hasWork
        #expect(wasWorking)
        #expect(!isWorking)
        #expect(conversation.takeAnswers().map { $0[6] } == [2])
    }

    @Test func `a step reads once`() throws {
        var conversation = Conversation(store())
        try conversation.begin(
            try SyncRequest.fileHash(path: Array("/log".utf8).span, type: .sha256, sequence: 1))
        for step in 1...10 {
            conversation.step()
            let count = conversation.store.readCount
            #expect(count == step)
        }
    }

    @Test func `a file that shrinks during a hash is a read error`() throws {
        var conversation = Conversation(store())
        let request = try SyncRequest.fileHash(path: Array("/log".utf8).span, type: .sha256, sequence: 1)
        try conversation.begin(request)
        conversation.store.files["/log"] = Array(log.prefix(100))
        let answers = conversation.send([])
        let answer = try #require(answers.first)
        #expect(throws: SyncResponseError.refused(.fileReadFailed)) {
            _ = try SyncResponse(answer.span, to: request).fileHash()
        }
    }

    @Test func `short reads are continued`() throws {
        var store = store()
        store.readLimit = 100
        var conversation = Conversation(store)
        let request = try SyncRequest.fileHash(
            path: Array("/log".utf8).span, type: .sha256, byteCount: 5000, sequence: 1)
        let answer = try conversation.ask(request)
        let hash = try SyncResponse(answer.span, to: request).fileHash().hash
        #expect(hash == .sha256(SHA256.digest(of: Array(log.prefix(5000)).span)))
    }

    @Test func `an answer that is not drained is abandoned as a whole`() throws {
        var conversation = Conversation(store())
        for sequence in 1...3 as ClosedRange<UInt8> {
            try conversation.begin(
                try SyncRequest.download(path: Array("/log".utf8).span, offset: 0, sequence: sequence))
            // A part of the first answer is already on the line.
            if sequence == 1 { conversation.server.drain(10) }
        }
        let abandoned = conversation.server.counters.abandonedAnswers
        #expect(abandoned == 2)
        #expect(conversation.takeAnswers().map { $0[6] } == [3])
    }

    @Test func `the server's own echo is not a request`() throws {
        var conversation = Conversation(store())
        let answer = try conversation.ask(SyncRequest.parameters(sequence: 1))
        let echoed = conversation.send(try line(answer))
        #expect(echoed == [])
        let stray = conversation.server.counters.strayPackets
        #expect(stray == 1)
    }

    @Test func `a reset forgets the session`() throws {
        var conversation = Conversation(store())
        let request = try line(SyncRequest.parameters(sequence: 1))
        _ = conversation.send(Array(request.dropLast(4)))
        conversation.server.reset()
        #expect(conversation.send(Array(request.suffix(4))) == [])
    }

    @Test func `mutated requests never trap and are never answered twice`() throws {
        let seed: UInt64 = 7
        var generator = SeededGenerator(seed: seed)
        let requests = try SMPVectors.load().requests.map { [UInt8](hex: $0.packet) }
        var conversation = Conversation(MemoryStore(files: ["/log": Array(log.prefix(5000))]))
        for _ in 0..<5000 {
            var packet = requests[Int.random(in: 0..<requests.count, using: &generator)]
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                packet[Int.random(in: 0..<packet.count, using: &generator)] =
                    .random(in: .min ... .max, using: &generator)
            }
            if Bool.random(using: &generator) {
                packet.removeLast(Int.random(in: 0...packet.count, using: &generator))
            }
            let answers = conversation.send(try line(packet))
            #expect(answers.count <= 1, "seed \(seed)")
        }
    }
}

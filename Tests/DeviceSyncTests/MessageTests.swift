import DeviceSync
import FixedMemory
import TestSupport
import Testing

@Suite struct MessageTests {
    private func data(_ bytes: [UInt8]) -> FixedBuffer<509> { FixedBuffer<509>(bytes.span) ?? FixedBuffer() }

    /// The server, with the test in the role of the agent.
    private struct Board: ~Copyable {
        var server = SyncServer()
        var store = MemoryStore()
        private var log: Void = ()

        mutating func receive(_ packet: SMPPacket) throws {
            var line = FixedBuffer<4096>()
            try SerialFrameEncoder.encode(packet.span, into: &line)
            server.receive(line.span, store: &store, log: &log)
        }

        mutating func takeAnswer() -> [UInt8] {
            var decoder = SerialFrameDecoder<2050>()
            var position = 0
            let output = array(server.output)
            server.drain(output.count)
            return decoder.receive(output.span, position: &position) ? array(decoder.frame) : []
        }
    }

    private let report: MessageReport = {
        var report = MessageReport(number: 7, queuedCount: 5, leftOutCount: 1)
        report.deliveredCount = 2
        report.failedCount = 1
        return report
    }()

    @Test func `a message reaches the agent unchanged`() throws {
        let identity = FixedBuffer<512>([UInt8](repeating: 3, count: 512).span) ?? FixedBuffer()
        let address = Bytes<6>([1, 2, 3, 4, 5, 6].span) ?? Bytes<6>()
        for recipients in [.all, .address(address, type: 1), .identity(identity)]
            as [MessageRequest.Recipients]
        {
            let message = MessageRequest(
                number: .max, recipients: recipients, data: data([UInt8](repeating: 9, count: 509)))
            var board = Board()
            try board.receive(try SyncRequest.send(message, sequence: 1))
            #expect(board.takeAnswer().isEmpty, "the agent has not answered yet")
            let question = board.server.nextRequest()
            #expect(question == .send(message))
            let again = board.server.nextRequest()
            #expect(again == nil)
        }
    }

    @Test func `the delivery state is reported in numbers`() throws {
        var board = Board()
        let request = try SyncRequest.messageReport(number: 7, sequence: 200)
        try board.receive(request)
        let question = board.server.nextRequest()
        #expect(question == .report(number: 7))
        board.server.answer(.success(report))
        let answer = board.takeAnswer()
        let read = try SyncResponse(answer.span, to: request).messageReport()
        #expect(read == report)
        #expect(read.waitingCount == 2)
    }

    @Test(arguments: [
        (MessageError.nobodyThere, SMPRefusal.messageNobodyThere), (.queueFull, .messageQueueFull),
        (.unknownMessage, .messageUnknown),
    ])
    func `a refusal has a reason`(_ error: MessageError, _ refusal: SMPRefusal) throws {
        var board = Board()
        let request = try SyncRequest.messageReport(number: 7, sequence: 3)
        try board.receive(request)
        board.server.answer(.failure(error))
        let answer = board.takeAnswer()
        #expect(throws: SyncResponseError.refused(refusal)) {
            _ = try SyncResponse(answer.span, to: request).messageReport()
        }
    }

    @Test func `another request in the meantime is answered`() throws {
        var board = Board()
        try board.receive(try SyncRequest.messageReport(number: 7, sequence: 3))
        let status = SyncRequest.boardStatus(sequence: 4)
        try board.receive(status)
        let question = board.server.nextRequest()
        #expect(question == nil)
        board.server.answer(.success(report))
        let answer = board.takeAnswer()
        _ = try SyncResponse(answer.span, to: status).boardStatus()
    }

    @Test(arguments: [
        ("a0", SMPRefusal.invalidValue),
        ("a1 6464617461 4101", .invalidValue),  // no id
        ("a2 626964 00 6464617461 4101", .invalidValue),
        ("a2 626964 1b0000000100000000 6464617461 4101", .invalidValue),
        ("a2 626964 01 6464617461 40", .messageLength),
        ("a2 626964 01 6464617461 5901fe" + String(repeating: "00", count: 510), .messageLength),
        ("a3 626964 01 6464617461 4101 67616464726573 73 46 010203040506", .invalidValue),
        ("a3 626964 01 6464617461 4101 6761646472657373 47 01020304050602", .invalidValue),
        ("a3 626964 01 6464617461 4101 686964656e74697479 40", .invalidValue),
        (
            "a4 626964 01 6464617461 4101 6761646472657373 47 01020304050601 686964656e74697479 4101",
            .invalidValue
        ),
    ])
    func `a malformed request is refused at once`(_ body: String, _ refusal: SMPRefusal) throws {
        var board = Board()
        var request = SMPPacket(SMPHeader(.write, .message, sequence: 5))
        try request.append([UInt8](hex: body).span)
        try board.receive(request)
        let question = board.server.nextRequest()
        #expect(question == nil)
        let answer = board.takeAnswer()
        #expect(throws: SyncResponseError.refused(refusal)) {
            _ = try SyncResponse(answer.span, to: request).messageReport()
        }
    }
}

import BoardLink
import BoardTestSupport
import DeviceSync
import FixedMemory
import Testing

@Suite struct MessageDeliveryTests {
    private let board: ServedBoard
    private let delivery: MessageDelivery
    private let message: MessageRequest

    init() throws {
        board = try ServedBoard()
        delivery = MessageDelivery(client: BoardClient(PipeChannel(board)))
        var data = FixedBuffer<509>()
        for byte in "hello".utf8 { try data.append(byte) }
        message = MessageRequest(number: 42, recipients: .all, data: data)
    }

    @Test func `HP-O08: delivery of a message is followed until every recipient has it`() throws {
        board.messagePeers = 3
        var seen: [UInt32] = []
        let (report, outcome) = try delivery.run(message, timeout: .minutes(1)) { _ in
            board.deliverMessage()
            return true
        } report: {
            seen.append($0.deliveredCount)
        }
        #expect(outcome == .finished)
        #expect(report.deliveredCount == 3 && report.waitingCount == 0)
        #expect(seen == [0, 1, 2, 3])
        #expect(board.message == message)
    }

    @Test func `a caller that stops waiting gets the progress so far`() throws {
        board.messagePeers = 3
        let (report, outcome) = try delivery.run(message, timeout: .minutes(1)) { _ in
            false
        } report: { _ in
        }
        #expect(outcome == .waiting)
        #expect(report.waitingCount == 3)
    }

    @Test func `a board without peers in range reports that`() throws {
        #expect(throws: LinkError.refused(request: "message", .messageNobodyThere)) {
            try delivery.run(message, timeout: .zero) { _ in
                true
            } report: { _ in
            }
        }
    }
}

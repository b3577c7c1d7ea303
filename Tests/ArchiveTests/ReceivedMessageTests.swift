import Foundation
import Testing

@testable import Archive

@Suite struct ReceivedMessageTests {
    private let log: TestLog
    private let messages: [ReceivedMessage]

    init() throws {
        log = try TestLog()
        let archive = try Archive(inMemoryNamed: "messages", admitting: .unverified)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        for segment in log.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try archive.decodePages(of: log.board)
        messages = try archive.messages()
    }

    @Test func `HP-C29: the archive has each received message, with its time and its sender`() throws {
        let first = try #require(messages.first)
        #expect(first.content == .immediate(Array("hello".utf8)))
        #expect(first.moment.time == pastNoon(3_605_000))
        #expect(first.sender?.payload.first == 0x10)
        #expect(first.address?.text == "00:00:00:00:00:01")
    }

    @Test func `a message from a device without an encounter has no sender`() {
        let second = messages[1]
        #expect(second.content == .immediate([0, 0xff]))
        #expect(second.sender == nil && second.address == nil)
    }

    @Test func `shared payloads are separated by the length of the board's own payload`() {
        #expect(messages[2].content == .sharedPayloads([0x10, 8, 0x10, 9], rssiDBm: -60))
        #expect(messages[2].sharedPayloads == [[0x10, 8], [0x10, 9]])
        #expect(messages[3].content == .sharedPayloads([1, 2, 3], rssiDBm: nil))
        #expect(messages[3].sharedPayloads == nil)
    }

    @Test func `messages of all boots are in order of time`() {
        #expect(messages.count == 8)
        #expect(messages.map(\.moment.time) == messages.map(\.moment.time).sorted())
    }
}

import Archive
import ArchiveTestSupport
import Foundation
import Testing

@testable import Reports

@Suite struct MessageTextTests {
    private func message(_ content: PeerMessage.Content, _ shared: [[UInt8]]? = nil) -> ReceivedMessage {
        ReceivedMessage(
            board: SampleWorld.board,
            moment: PlacedMoment(
                timeline: .wallClock(error: 5), time: TimelinePoint(SampleWorld.morning)),
            sender: HeraldWorld.alice,
            address: HeraldWorld.address(1),
            content: content, sharedPayloads: shared)
    }

    @Test func `text is shown as text`() {
        #expect(
            MessageText.line(message(.immediate(Array("Gr\u{fc}\u{df} dich".utf8))))
                == "\"Gr\u{fc}\u{df} dich\"")
    }

    @Test(arguments: [[], [0xff, 0xfe], [0x68, 0x0a], Array("\u{202e}evil".utf8)] as [[UInt8]])
    func `bytes that could disturb a terminal are shown in hexadecimal`(_ bytes: [UInt8]) {
        #expect(MessageText.line(message(.immediate(bytes))) == bytes.hexadecimal)
    }

    @Test func `shared payloads are named`() {
        let shared = [HeraldWorld.alice.payload, HeraldWorld.bob.payload]
        let content = PeerMessage.Content.sharedPayloads(shared.flatMap(\.self), rssiDBm: -71)
        #expect(
            MessageText.line(message(content, shared))
                == "shares \(HeraldWorld.alice.label), \(HeraldWorld.bob.label) at -71 dBm")
        #expect(MessageText.line(message(.sharedPayloads([1, 2], rssiDBm: nil))) == "shares 0102")
    }

    @Test func `every message has every field`() throws {
        let data = try MessageDocument.json([
            message(.immediate([0x68, 0x69])), message(.sharedPayloads([1], rssiDBm: nil)),
        ])
        let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let array = try #require(document["messages"] as? [[String: Any]])
        let keys: Set = [
            "board", "time", "secondsSinceStart", "kind", "sender", "senderLabel", "address", "bytes", "text",
            "payloads", "rssiDBm", "errorSeconds", "clockBasis", "notBefore", "notAfter",
        ]
        #expect(array.allSatisfy { Set($0.keys) == keys })
        #expect(array[0]["text"] as? String == "hi")
        #expect(array[0]["time"] as? String == "2026-11-21T09:00:00.000Z")
        #expect(array[0]["errorSeconds"] as? Double == 0.005)
        #expect(array[1]["kind"] as? String == "shared payloads")
    }
}

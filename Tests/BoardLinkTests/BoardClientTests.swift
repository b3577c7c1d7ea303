import BoardTestSupport
import Testing

@testable import BoardLink

@Suite struct BoardClientTests {
    @Test func `echo and parameters are understood`() throws {
        let client = BoardClient.test(PipeChannel(try ServedBoard(packetByteCount: 512)))
        #expect(try client.echo())
        #expect(try client.parameters().packetByteCount == 512)
        #expect(try client.status().bootIdentifier == 7)
    }

    @Test func `silence is reported after a few attempts`() throws {
        let channel = PipeChannel(try ServedBoard())
        channel.tamper = { _, answer in answer = [] }
        let client = BoardClient.test(channel)
        #expect(throws: LinkError.noAnswer(port: "pipe", request: "echo")) { try client.echo() }
        #expect(channel.requestCount == 3)
    }

    @Test func `text instead of frames is another program's`() throws {
        let channel = PipeChannel(try ServedBoard())
        channel.tamper = { _, answer in answer = Array("\r\nraspberrypi login: ".utf8) }
        let client = BoardClient.test(channel)
        #expect(throws: LinkError.foreignText(port: "pipe")) { try client.echo() }
    }

    @Test func `bytes of another speed are no text`() throws {
        let channel = PipeChannel(try ServedBoard())
        channel.tamper = { _, answer in answer = Array("abcdef".utf8) + [0xFE, 0x80, 0x00] }
        let client = BoardClient.test(channel)
        #expect(throws: LinkError.noAnswer(port: "pipe", request: "echo")) { try client.echo() }
    }

    @Test func `noise around answers is skipped`() throws {
        let channel = PipeChannel(try ServedBoard())
        channel.tamper = { _, answer in
            answer = Array("tabard: log committed\r\n\u{6}garbage\n".utf8) + answer + Array("more\n".utf8)
        }
        let client = BoardClient.test(channel)
        #expect(try client.echo())
        #expect(try client.echo())
    }

    @Test func `a refusal is passed on with its reason`() throws {
        let client = BoardClient.test(PipeChannel(try ServedBoard()))
        #expect(throws: LinkError.refused(request: "download", .fileNotFound)) {
            try client.chunk(of: .segment(4_000), at: 0)
        }
    }

    @Test func `an index that never becomes readable is given up`() throws {
        #expect(BoardIndex(Array("segment 1 2 open\n".utf8)) == nil)
        let header =
            "tabard-index 2 log=\(String(repeating: "0", count: 32)) boot=1 block=256 unit=256\n"
        #expect(BoardIndex(Array((header + "segment 2 256 closed\nsegment 1 256 open\n").utf8)) == nil)
        #expect(
            BoardIndex(Array((header + "segment 1 256 closed\nsegment 2 256 open\n").utf8))?.segments.count
                == 2)
    }
}

import FixedMemory
import GATT
import Protocols
import TestSupport
import Testing

/// The server on one link, with a phone's requests in hexadecimal.
struct Phone: ~Copyable {
    let table: HeraldServer.Table
    var server: HeraldServer
    var bearer = ATTBearer()
    let link = 1

    init(payload: [UInt8] = [0x30, 0x3a, 0x03]) throws {
        let name = Array("Tabard".utf8)
        table = HeraldServer.makeTable(deviceName: name.span)
        var buffer = FixedBuffer<512>()
        for byte in payload { try buffer.append(byte) }
        server = try HeraldServer(payload: buffer, linkLimit: 4)
    }

    mutating func ask(_ pdu: [UInt8]) -> [UInt8] {
        var answer = ATTBuffer()
        _ = bearer.receive(pdu.span, link: link, table: table, delegate: &server, answer: &answer)
        return (0..<answer.count).map { answer[$0] }
    }

    mutating func ask(_ hex: String) -> String { ask([UInt8](hex: hex)).hex }

    /// Runs our own client against the server. Returns the value that it has read.
    mutating func readPayload(exchangesMTU: Bool) throws -> [UInt8]? {
        var client = ATTBearer()
        var search = HeraldService.payloadSearch
        search.exchangesMTU = exchangesMTU
        client.client.start(search)
        var (request, unused) = (ATTBuffer(), ATTBuffer())
        let nothing = AttributeTable<1>()
        while client.nextRequest(into: &request) {
            let answer = ask((0..<request.count).map { request[$0] })
            let event = client.receive(
                answer.span, link: 0, table: nothing, delegate: &server, answer: &unused)
            guard let event else { continue }
            let value = client.client.value
            return event == .finished ? (0..<value.count).map { value[$0] } : nil
        }
        return nil
    }
}

@Suite struct HeraldServerTests {
    private static let payload = "e733898fe34321a12948058ff8c0983e"
    private static let signal = "111a82809ae024837a432e0913b817f6"

    @Test func `HP-C34, HP-O11, X5: both services are primary, in a table that is complete at the start`()
        throws
    {
        var phone = try Phone()
        #expect(phone.ask("10 0100 ffff 0028") == "1106" + "010005000018" + "060006000118" + "07000b00f6fc")
        #expect(phone.ask("10 0c00 ffff 0028") == "1114" + "0c001000" + "9bfd5bd672451e80d3424647af328142")
        #expect(phone.ask("10 1100 ffff 0028") == "011011000a")
        #expect(phone.ask("06 0100 ffff 0028 f6fc") == "0707000b00")
    }

    /// HP-C07, C35, C36: the payload is read-only. HP-C09 to C11, C37, C38: the signal only takes writes with
    /// response.
    @Test(arguments: [7, 12] as [UInt8])
    func `HP-C07, HP-C09, HP-C10, HP-C11, HP-C35, HP-C36, HP-C37, HP-C38: exact UUIDs and properties`(
        _ service: UInt8
    ) throws {
        var phone = try Phone()
        func handle(_ offset: UInt8) -> String { [service + offset, 0].hex }
        let range = handle(0) + handle(4)
        #expect(phone.ask("08" + range + "0328") == "0915" + handle(1) + "02" + handle(2) + Self.payload)
        #expect(
            phone.ask("08" + handle(2) + handle(4) + "0328")
                == "0915" + handle(3) + "08" + handle(4) + Self.signal)
        #expect(phone.ask("08" + handle(4) + handle(4) + "0328") == "0108" + handle(4) + "0a")
        #expect(phone.ask("0a" + handle(2)) == "0b303a03")
        #expect(phone.ask("12" + handle(2) + "00") == "0112" + handle(2) + "03")
        #expect(phone.ask("0a" + handle(4)) == "010a" + handle(4) + "02")
        #expect(phone.ask("12" + handle(4) + "02c8ff") == "13")
    }

    @Test func `no characteristic can be subscribed to`() throws {
        var phone = try Phone()
        #expect(phone.ask("04 0100 ffff").hasPrefix("05"))
        // The table has no client characteristic configuration descriptor.
        #expect(phone.ask("08 0100 ffff 0229") == "010801000a")
    }

    @Test func `HP-C11: a write without response is ignored`() throws {
        var phone = try Phone()
        #expect(phone.ask("52 0b00 02c8ff") == "")
        let message = phone.server.takeMessage()
        #expect(message == nil)
    }

    @Test(
        arguments: [1, 21, 22, 23, 129, 512],
        [false, true])
    func `HP-C01, HP-C22: the payload is read whole at every MTU`(_ byteCount: Int, _ exchangesMTU: Bool)
        throws
    {
        let payload = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 5) }
        var phone = try Phone(payload: payload)
        #expect(try phone.readPayload(exchangesMTU: exchangesMTU) == payload)
        let mtu = phone.bearer.mtu.byteCount
        #expect(mtu == (exchangesMTU ? 517 : 23))
    }

    @Test func `a message is delivered once, with its link`() throws {
        var phone = try Phone()
        #expect(phone.ask("12 0b00 010300aabbcc") == "13")
        let message = phone.server.takeMessage()
        #expect(message?.code == .payload)
        #expect(message?.link == 1)
        let payload = phone.server.messagePayload(link: 1)
        #expect((0..<payload.count).map { payload[$0] }.hex == "aabbcc")
        let again = phone.server.takeMessage()
        #expect(again == nil)
    }

    @Test func `a message in pieces through either service is answered piece by piece`() throws {
        var phone = try Phone()
        let message = [0x01, 30, 0] + [UInt8](repeating: 7, count: 30)
        #expect(phone.ask([0x12, 0x10, 0] + message.prefix(20)) == [0x13])
        #expect(phone.server.takeMessage() == nil)
        #expect(phone.ask([0x12, 0x0b, 0] + message.suffix(13)) == [0x13])
        #expect(phone.server.takeMessage()?.code == .payload)
    }

    @Test func `a prepared write is one message`() throws {
        var phone = try Phone()
        let message = [0x01, 30, 0] + [UInt8](repeating: 7, count: 30)
        #expect(phone.ask([0x16, 0x0b, 0, 0, 0] + message.prefix(18)).first == 0x17)
        #expect(phone.ask([0x16, 0x0b, 0, 18, 0] + message.suffix(15)).first == 0x17)
        #expect(phone.ask("18 01") == "19")
        #expect(phone.server.takeMessage()?.code == .payload)
    }

    @Test func `malformed messages are refused with Invalid Attribute Value Length and counted`() throws {
        var phone = try Phone()
        #expect(phone.ask("12 0b00 09") == "01120b000d")
        #expect(phone.ask("12 0b00 02c8ff") == "13")
        let count = phone.server.malformedCount
        #expect(count == 1)
    }

    @Test func `half a message from an earlier link does not count`() throws {
        var phone = try Phone()
        #expect(phone.ask("12 0b00 010300aa") == "13")
        phone.server.linkOpened(1)
        #expect(phone.ask("12 0b00 02c8ff") == "13")
        let message = phone.server.takeMessage()
        #expect(message?.code == .rssi)
        let rssi = phone.server.messageRSSIDBm(link: 1)
        #expect(rssi == -56)
    }

    @Test func `X7: a link serves the payload that it began with after an identity change, in pieces too`()
        throws
    {
        let (before, after) = ([UInt8](0..<21), [UInt8](100..<121))
        var phone = try Phone(payload: before)
        #expect(phone.ask("0a 0900") == "0b" + before.hex)
        phone.server.payload = FixedBuffer(after.span) ?? FixedBuffer()
        #expect(phone.ask("0c 0900 0a00") == "0d" + Array(before[10...]).hex)
        phone.server.linkOpened(1)
        phone.bearer = ATTBearer()
        #expect(phone.ask("0a 0900") == "0b" + after.hex)
    }

    @Test func `X7: a link whose first read comes late serves the payload that it began with`() throws {
        let (before, after) = ([UInt8](0..<21), [UInt8](100..<121))
        var phone = try Phone(payload: before)
        phone.server.linkOpened(1)
        phone.server.payload = FixedBuffer(after.span) ?? FixedBuffer()
        #expect(phone.ask("0a 0900") == "0b" + before.hex)
    }

    @Test func `T4: without a payload, a read gets an error instead of zeros`() throws {
        var phone = try Phone(payload: [])
        #expect(phone.ask("0a 0900") == "010a09000e")
        #expect(phone.ask("12 0b00 02c8ff") == "13")
    }

    @Test func `the generic services have the name`() throws {
        var phone = try Phone()
        #expect(phone.ask("0a 0300") == "0b" + Array("Tabard".utf8).hex)
        #expect(phone.ask("0a 0500") == "0b0000")
    }

    @Test func `mutated requests never trap`() throws {
        let seed: UInt64 = 21
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var phone = try Phone(payload: [UInt8](repeating: 1, count: 200))
        let requests = [
            "10 0100 ffff 0028", "08 0700 0b00 0328", "0a 0900", "0c 0900 1600", "12 0b00 02c8ff",
            "16 0b00 0000 0102", "18 01", "02 0502", "04 0100 ffff", "06 0100 ffff 0028 f6fc", "52 0b00 01",
        ].map { [UInt8](hex: $0) }
        for _ in 0..<20_000 {
            var request = requests[Int.random(in: 0..<requests.count, using: &generator)]
            for _ in 0..<2 {
                request[Int.random(in: 0..<request.count, using: &generator)] = .random(
                    in: .min ... .max, using: &generator)
            }
            if Bool.random(using: &generator) {
                request += generator.bytes(Int.random(in: 0...30, using: &generator))
            }
            let answer = phone.ask(request)
            #expect(answer.count <= 517)
        }
    }
}

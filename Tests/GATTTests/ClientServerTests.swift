import GATT
import TestSupport
import Testing

/// The local client reads from the local server, PDU by PDU.
@Suite struct ClientServerTests {
    struct Pair {
        var venue: Venue
        var client = ATTBearer()
        var requestCount = 0
        var longestPDU = 0

        /// - Returns: The end of the client's procedure.
        mutating func run() throws -> AttributeClientEvent? {
            var request = ATTBuffer()
            var ownAnswer = ATTBuffer()
            let nothing = AttributeTable<1>()
            while client.nextRequest(into: &request) {
                requestCount += 1
                let answer = venue.ask(request.span.array)
                longestPDU = max(longestPDU, answer.count, request.count)
                let event = client.receive(
                    answer.span, link: 0, table: nothing, delegate: &venue.values, answer: &ownAnswer)
                if event != nil { return event }
            }
            return nil
        }
    }

    @Test(arguments: [(false, 23, 9), (true, 517, 4)], [BluetoothUUID.herald, .legacyHerald])
    func `a payload of 129 bytes is read`(
        _ mtu: (exchange: Bool, most: Int, requests: Int), _ service: BluetoothUUID
    )
        throws
    {
        var pair = Pair(venue: try Venue())
        pair.client.client.start(
            CharacteristicSearch(
                services: UUIDList(service), characteristic: .payload,
                others: UUIDList(.compliantSignal, .otherSignal), exchangesMTU: mtu.exchange))
        #expect(try pair.run() == .finished)
        #expect(pair.client.client.value.span.array == pair.venue.values.payload)
        #expect(pair.client.mtu.byteCount == mtu.most)
        #expect(pair.venue.bearer.mtu.byteCount == mtu.most)
        #expect(pair.longestPDU <= mtu.most)
        #expect(pair.venue.values.reads == 1)
        let findings = pair.client.client.findings
        #expect(findings.other(0)?.properties == .write)
        #expect(findings.other(1) == nil)
        #expect(pair.requestCount == mtu.requests)
    }

    @Test(arguments: [0, 21, 22, 23, 44, 129, 255, 511, 512])
    func `payloads of every length are read`(_ byteCount: Int) throws {
        for exchanges in [false, true] {
            var pair = Pair(venue: try Venue(payloadByteCount: byteCount))
            pair.client.client.start(
                CharacteristicSearch(
                    services: UUIDList(BluetoothUUID(0xfd6f), .herald), characteristic: .payload,
                    exchangesMTU: exchanges))
            #expect(try pair.run() == .finished)
            #expect(pair.client.client.value.span.array == pair.venue.values.payload)
        }
    }

    @Test(arguments: [0, 20, 21, 36, 512])
    func `values of every length are written`(_ byteCount: Int) throws {
        var pair = Pair(venue: try Venue())
        let value = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
        try pair.client.client.startWriting(value.span, handle: 11)
        #expect(try pair.run() == .finished)
        #expect(pair.venue.values.writes.map(\.value) == [value])
    }

    @Test func `the peer may send a request while it owes an answer`() throws {
        var venue = try Venue()
        venue.bearer.client.startReading(handle: 9)
        var request = ATTBuffer()
        let hasRequest = venue.bearer.nextRequest(into: &request)
        #expect(hasRequest)
        #expect(venue.ask("0a 0300") == "0b56656e7565")
        #expect(venue.bearer.client.isWaiting)
        #expect(venue.ask("0b 0102") == "")
        #expect(!venue.bearer.client.isBusy)
        #expect(venue.bearer.client.value.span.array.hex == "0102")
    }

    @Test func `an indication is confirmed and a notification is not`() throws {
        var venue = try Venue()
        #expect(venue.ask("1d 0900 0102") == "1e")
        #expect(venue.ask("1b 0900 0102") == "")
    }
}

/// The client's procedures that signal messages need.
@Suite struct ClientWritingTests {
    private func run(_ pair: inout ClientServerTests.Pair) throws -> AttributeClientEvent? { try pair.run() }

    @Test func `HP-C39: characteristics are found without reading a value`() throws {
        var pair = ClientServerTests.Pair(venue: try Venue())
        var search = CharacteristicSearch(
            services: UUIDList(.herald), characteristic: .payload,
            others: UUIDList(.compliantSignal, .otherSignal))
        search.readsValue = false
        pair.client.client.start(search)
        #expect(try run(&pair) == .finished)
        #expect(pair.venue.values.reads == 0)
        #expect(pair.client.client.findings.characteristic?.valueHandle == 9)
        #expect(pair.client.client.findings.other(0)?.valueHandle == 11)
    }

    @Test(arguments: [0, 1, 20, 21, 38, 300, 512], [23, 100, 517])
    func `HP-C40: a value is written in one request or in prepared writes within the MTU, never in a command`(
        _ byteCount: Int, _ mtu: Int
    ) {
        var client = AttributeClient()
        var limit = NegotiatedMTU()
        limit.agree(peerReceiveMTU: UInt16(mtu))
        let value = [UInt8](repeating: 7, count: byteCount)
        #expect(throws: Never.self) { try client.startWriting(value.span, handle: 0x22) }
        var request = ATTBuffer()
        var opcodes: [UInt8] = []
        while client.nextRequest(mtu: limit, into: &request) {
            let bytes = request.span.array
            #expect(bytes.count <= mtu)
            opcodes.append(bytes[0])
            // The response to a Prepare Write repeats the request.
            var answer = bytes[0] == 0x16 ? bytes : [bytes[0]]
            answer[0] += 1
            _ = client.receive(answer.span, mtu: &limit)
        }
        let parts = (byteCount + mtu - 6) / (mtu - 5)
        let isLong = byteCount > mtu - 3
        #expect(opcodes == (isLong ? [UInt8](repeating: 0x16, count: parts) + [0x18] : [0x12]))
    }

    @Test func `HP-C31: a read can be interrupted between two requests and continued later`() throws {
        var mtu = NegotiatedMTU()
        var client = AttributeClient()
        client.startReading(handle: 9)
        var request = ATTBuffer()
        _ = client.nextRequest(mtu: mtu, into: &request)
        #expect(!client.isInterruptible, "an answer is owed")
        _ = client.receive(([0x0b] + [UInt8](repeating: 1, count: 22)).span, mtu: &mtu)
        #expect(client.isInterruptible)
        let interrupted = client
        client = AttributeClient()
        try client.startWriting([1, 2, 3].span, handle: 11)
        #expect(!client.isInterruptible, "what is written is written whole")
        _ = client.nextRequest(mtu: mtu, into: &request)
        #expect(request.span.array.hex == "120b00010203")
        #expect(client.receive([0x13].span, mtu: &mtu) == .finished)
        client = interrupted
        _ = client.nextRequest(mtu: mtu, into: &request)
        #expect(request.span.array.hex == "0c09001600")
        #expect(client.receive([0x0d, 2].span, mtu: &mtu) == .finished)
        #expect(client.value.count == 23)
    }
}

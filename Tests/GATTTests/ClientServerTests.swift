import GATT
import TestSupport
import Testing

/// Our client reads from our server, PDU by PDU.
@Suite struct ClientServerTests {
    struct Pair {
        var venue: Venue
        var client = ATTBearer()
        var requestCount = 0
        var longestPDU = 0

        /// - Returns: how the client's procedure ended.
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
    func readsAPayloadOf129Bytes(_ mtu: (exchange: Bool, most: Int, requests: Int), _ service: BluetoothUUID)
        throws
    {
        var pair = Pair(venue: try Venue())
        pair.client.client.start(
            CharacteristicSearch(
                services: UUIDList(service), characteristic: .payload,
                noted: UUIDList(.compliantSignal, .otherSignal), exchangesMTU: mtu.exchange))
        #expect(try pair.run() == .finished)
        #expect(pair.client.client.value.span.array == pair.venue.values.payload)
        #expect(pair.client.mtu.byteCount == mtu.most)
        #expect(pair.venue.bearer.mtu.byteCount == mtu.most)
        #expect(pair.longestPDU <= mtu.most)
        #expect(pair.venue.values.reads == 1)
        let findings = pair.client.client.findings
        #expect(findings.noted(0)?.properties == .write)
        #expect(findings.noted(1) == nil)
        #expect(pair.requestCount == mtu.requests)
    }

    @Test(arguments: [0, 21, 22, 23, 44, 129, 255, 511, 512])
    func readsPayloadsOfEveryLength(_ byteCount: Int) throws {
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
    func writesValuesOfEveryLength(_ byteCount: Int) throws {
        var pair = Pair(venue: try Venue())
        let value = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
        try pair.client.client.startWriting(value.span, handle: 11)
        #expect(try pair.run() == .finished)
        #expect(pair.venue.values.writes.map(\.value) == [value])
    }

    @Test func thePeerMayAskWhileItOwesUsAnAnswer() throws {
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

    @Test func anIndicationIsConfirmedAndANotificationIsNot() throws {
        var venue = try Venue()
        #expect(venue.ask("1d 0900 0102") == "1e")
        #expect(venue.ask("1b 0900 0102") == "")
    }
}

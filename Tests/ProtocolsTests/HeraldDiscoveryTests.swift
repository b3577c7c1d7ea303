import FixedMemory
import GATT
import Protocols
import TestSupport
import Testing

/// Discovery of Herald on a phone whose answers are written in hexadecimal.
@Suite struct HeraldDiscoveryTests {
    private static let payload = "e733898fe34321a12948058ff8c0983e"
    private static let compliantSignal = "111a82809ae024837a432e0913b817f6"
    private static let nonCompliantSignal = "63432db0ada4f38a9a4ae4eaf2d5b00e"
    private static let another = "00112233445566778899aabbccddeeff"

    /// Sends each request of the client and returns the matching answer to it.
    /// - Returns: how the search ended; nil if it has not.
    private func run(_ client: inout AttributeClient, _ answers: [String: String]) -> AttributeClientEvent? {
        var (request, mtu) = (ATTBuffer(), NegotiatedMTU())
        while client.nextRequest(mtu: mtu, into: &request) {
            let asked = (0..<request.count).map { request[$0] }.hex
            let answer = [UInt8](hex: answers[asked] ?? "01" + asked.prefix(2) + "0100" + "0a")
            if let event = client.receive(answer.span, mtu: &mtu) { return event }
        }
        return nil
    }

    private func search() -> AttributeClient {
        var discovery = HeraldService.discovery
        discovery.exchangesMTU = false
        var client = AttributeClient()
        client.start(discovery)
        return client
    }

    @Test(arguments: [(signal: compliantSignal, place: 0), (signal: nonCompliantSignal, place: 1)])
    func `HP-C35, HP-C37, HP-C39, HP-C41: characteristics are recognised by UUID; unknown ones are skipped`(
        _ signal: String, _ place: Int
    ) {
        var client = search()
        let event = run(
            &client,
            [
                "060100ffff0028f6fc": "07" + "0a00" + "1000",
                "080a0010000328": "0915" + "0b00" + "02" + "0c00" + Self.payload,
                "080d0010000328": "0915" + "0d00" + "12" + "0e00" + Self.another,
                "080f0010000328": "0915" + "0f00" + "08" + "1000" + signal,
            ])
        #expect(event == .finished)
        #expect(client.findings.characteristic?.valueHandle == 0x0c)
        #expect(client.findings.other(place)?.valueHandle == 0x10)
        #expect(client.findings.other(1 - place) == nil)
    }

    @Test func `HP-D03, HP-D04: the search covers both of Herald's services, and nothing outside of them`() {
        var client = search()
        let everything = "0915" + "0b00" + "02" + "0c00" + Self.payload
        let event = run(&client, ["080100ffff0328": everything, "08010000000328": everything])
        #expect(event == .failed(.serviceNotFound))
        #expect(client.findings.characteristic == nil)
        var older = search()
        let found = run(
            &older,
            [
                "060100ffff00289bfd5bd672451e80d3424647af328142": "07" + "0a00" + "0c00",
                "080a000c000328": "0915" + "0b00" + "02" + "0c00" + Self.payload,
            ])
        #expect(found == .finished)
        #expect(older.findings.characteristic?.valueHandle == 0x0c)
    }
}

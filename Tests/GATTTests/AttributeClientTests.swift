import GATT
import TestSupport
import Testing

/// The client against scripted answers: its requests in order, and how its procedures end.
@Suite struct AttributeClientTests {
    struct Script {
        var client = AttributeClient()
        var mtu = NegotiatedMTU()

        mutating func next() -> String {
            var request = ATTBuffer()
            let hasRequest = client.nextRequest(mtu: mtu, into: &request)
            #expect(hasRequest != request.isEmpty)
            return request.span.array.hex
        }

        mutating func answer(_ hex: String) -> AttributeClientEvent? {
            client.receive([UInt8](hex: hex).span, mtu: &mtu)
        }
    }

    private let search = CharacteristicSearch(
        services: UUIDList(.herald, .legacyHerald), characteristic: .payload,
        others: UUIDList(.compliantSignal, .otherSignal))

    private static let payloadDeclaration = "e733898fe34321a12948058ff8c0983e"
    private static let compliantDeclaration = "111a82809ae024837a432e0913b817f6"
    private static let otherDeclaration = "63432db0ada4f38a9a4ae4eaf2d5b00e"

    @Test func `a value is found and read with the fewest requests`() {
        var script = Script()
        script.client.start(search)
        #expect(script.client.isBusy && !script.client.isWaiting)
        #expect(script.next() == "020502")
        #expect(script.client.isWaiting)
        #expect(script.next() == "")
        #expect(script.answer("030502") == nil)
        #expect(script.mtu.byteCount == 517)
        #expect(script.next() == "060100ffff0028f6fc")
        #expect(script.answer("07 0700 0b00") == nil)
        #expect(script.next() == "0807000b000328")
        #expect(
            script.answer("09 15 0800020900\(Self.payloadDeclaration) 0a00080b00\(Self.compliantDeclaration)")
                == nil)
        #expect(script.next() == "0a0900")
        #expect(script.answer("0b 303a03") == .finished)
        #expect(script.client.value.span.array.hex == "303a03")
        #expect(!script.client.isBusy && !script.client.isWaiting)
        #expect(script.next() == "")
        let findings = script.client.findings
        #expect(findings.service == .herald)
        #expect(findings.characteristic == FoundCharacteristic(valueHandle: 9, properties: .read))
        #expect(findings.other(0) == FoundCharacteristic(valueHandle: 11, properties: .write))
        #expect(findings.other(1) == nil)
    }

    @Test(arguments: 1...255 as ClosedRange<UInt8>)
    func `HP-C01: the search continues with an MTU of 23 after any error response to the MTU request`(
        _ error: UInt8
    ) {
        var script = Script()
        script.client.start(search)
        #expect(script.next() == "020502")
        #expect(script.client.awaitsMTU)
        #expect(script.answer("01 02 0000" + [error].hex) == nil)
        #expect(!script.client.awaitsMTU)
        #expect(script.mtu.byteCount == 23)
        #expect(script.next() == "060100ffff0028f6fc")
    }

    @Test func `a read ends at the wanted length, even if a peer answers each offset with the whole value`() {
        var script = Script()
        var search = search
        search.exchangesMTU = false
        search.wantedByteCount = 22
        script.client.start(search)
        let value = String(repeating: "ab", count: 22)
        for answer in ["07 0700 0b00", "09 15 0800020900\(Self.payloadDeclaration)", "01 08 0a00 0a"] {
            _ = script.next()
            #expect(script.answer(answer) == nil)
        }
        #expect(script.next() == "0a0900")
        #expect(script.answer("0b \(value)") == .finished)
        // A read by handle always reads the whole value.
        script.client.startReading(handle: 9)
        #expect(script.next() == "0a0900")
        #expect(script.answer("0b \(value)") == nil)
        #expect(script.next() == "0c09001600")
    }

    @Test
    func `the client falls back to the legacy service and recognises the non-compliant signal (HP-C39)`() {
        var script = Script()
        script.client.start(search)
        _ = script.next()
        #expect(script.answer("01 02 0000 06") == nil)
        #expect(script.mtu.byteCount == 23)
        _ = script.next()
        #expect(script.answer("01 06 0100 0a") == nil)
        #expect(script.next() == "060100ffff00289bfd5bd672451e80d3424647af328142")
        #expect(script.answer("07 2000 ffff") == nil)
        #expect(script.next() == "082000ffff0328")
        #expect(script.answer("09 15 2100 18 2200 \(Self.otherDeclaration)") == nil)
        #expect(script.next() == "082300ffff0328")
        #expect(script.answer("09 15 2400 02 2500 \(Self.payloadDeclaration)") == nil)
        #expect(script.next() == "082600ffff0328")
        #expect(script.answer("01 08 2600 0a") == nil)
        #expect(script.next() == "0a2500")
        #expect(script.client.findings.service == .legacyHerald)
        #expect(script.client.findings.other(0) == nil)
        #expect(
            script.client.findings.other(1)
                == FoundCharacteristic(valueHandle: 0x22, properties: .write.union(.notify)))
    }

    @Test func `a service without the characteristic is skipped`() {
        var script = Script()
        script.client.start(search)
        for answer in ["030502", "07 0700 0800", "09 07 0700 02 0800 0129"] {
            _ = script.next()
            #expect(script.answer(answer) == nil)
        }
        #expect(script.next() == "060900ffff0028f6fc")
        #expect(script.answer("01 06 0900 0a") == nil)
        #expect(script.next() == "060100ffff00289bfd5bd672451e80d3424647af328142")
        #expect(script.answer("01 06 0100 0a") == .failed(.characteristicNotFound))
    }

    @Test func `without a service nothing is read`() {
        var script = Script()
        script.client.start(search)
        for answer in ["030502", "01 06 0100 0a"] {
            _ = script.next()
            #expect(script.answer(answer) == nil)
        }
        _ = script.next()
        #expect(script.answer("01 06 0100 0a") == .failed(.serviceNotFound))
    }

    @Test(arguments: ["0d", "010c09000b", "010c090007"])
    func `a value that ends with its PDU is complete`(_ lastAnswer: String) {
        var script = Script()
        script.client.startReading(handle: 9)
        #expect(script.next() == "0a0900")
        let part = String(repeating: "ab", count: 22)
        #expect(script.answer("0b" + part) == nil)
        #expect(script.next() == "0c09001600")
        #expect(script.answer("0d" + part) == nil)
        #expect(script.next() == "0c09002c00")
        #expect(script.answer(lastAnswer) == .finished)
        #expect(script.client.value.count == 44)
    }

    @Test func `a blob that is refused for another reason is a failure`() {
        var script = Script()
        script.client.startReading(handle: 9)
        _ = script.next()
        #expect(script.answer("0b" + String(repeating: "ab", count: 22)) == nil)
        _ = script.next()
        #expect(script.answer("01 0c 0900 0e") == .failed(.refused(.unlikelyError)))
    }

    @Test func `a refused read is a failure`() {
        var script = Script()
        script.client.startReading(handle: 9)
        _ = script.next()
        #expect(script.answer("01 0a 0900 05") == .failed(.refused(.insufficientAuthentication)))
        #expect(!script.client.isBusy)
    }

    @Test func `an answer sent before the MTU grew does not count as a short one`() {
        var script = Script()
        script.client.startReading(handle: 9)
        _ = script.next()
        script.mtu.agree(peerReceiveMTU: 517)
        #expect(script.answer("0b" + String(repeating: "ab", count: 22)) == nil)
        #expect(script.next() == "0c09001600")
        #expect(script.answer("0d 0102") == .finished)
        #expect(script.client.value.count == 24)
    }

    @Test func `a value of 512 bytes is accepted and no more`() {
        var script = Script()
        script.client.startReading(handle: 9)
        for index in 0..<23 {
            _ = script.next()
            #expect(script.answer((index == 0 ? "0b" : "0d") + String(repeating: "ab", count: 22)) == nil)
        }
        var other = script
        _ = script.next()
        #expect(script.answer("0d" + String(repeating: "ab", count: 6)) == .finished)
        #expect(script.client.value.count == 512)
        _ = other.next()
        #expect(other.answer("0d" + String(repeating: "ab", count: 7)) == .failed(.valueTooLong))
    }

    @Test func `a value is written with a response`() throws {
        var script = Script()
        try script.client.startWriting([2, 0xc8, 0xff].span, handle: 11)
        #expect(script.next() == "120b0002c8ff")
        #expect(script.answer("13") == .finished)
        try script.client.startWriting([1].span, handle: 11)
        _ = script.next()
        #expect(script.answer("01 12 0b00 0d") == .failed(.refused(.invalidAttributeValueLength)))
    }

    @Test func `a long value is written in prepared parts and the echo is checked`() throws {
        var script = Script()
        let value = (0..<21).map { UInt8($0) }
        try script.client.startWriting(value.span, handle: 11)
        #expect(script.next() == "160b000000" + value.prefix(18).map { $0 }.hex)
        #expect(script.answer("170b000000" + value.prefix(18).map { $0 }.hex) == nil)
        #expect(script.next() == "160b001200121314")
        var other = script
        #expect(other.answer("170b001200121315") == .failed(.protocolViolation))
        #expect(script.answer("170b001200121314") == nil)
        #expect(script.next() == "1801")
        #expect(script.answer("19") == .finished)
    }

    @Test func `an unexpected answer is ignored`() {
        var script = Script()
        #expect(script.answer("0b 01") == nil)
        script.client.startReading(handle: 9)
        #expect(script.answer("0b 01") == nil)
        #expect(script.next() == "0a0900")
        for stray in ["", "13", "1b 0900 01", "01 0c 0900 07", "0d 01", "ff", "09"] {
            #expect(script.answer(stray) == nil)
        }
        #expect(script.client.isWaiting)
        #expect(script.answer("0b 01") == .finished)
    }

    @Test(arguments: [
        "07", "07 0700", "07 0000 0b00", "07 0b00 0700", "07 0700 0b00 00", "01 06", "01 06 0100 0a 00",
    ])
    func `a damaged service list is a failure`(_ answer: String) {
        var script = Script()
        script.client.start(search)
        _ = script.next()
        #expect(script.answer("030502") == nil)
        _ = script.next()
        #expect(script.answer(answer) == .failed(.protocolViolation))
    }

    @Test(arguments: [
        ("09 07 0600 02 0900 0129", "a handle before the range"),
        ("09 07 0c00 02 0d00 0129", "a handle behind the range"),
        ("09 07 0800 02 0800 0129", "a value at its declaration"),
        ("09 07 0800 02 0c00 0129", "a value behind the service"),
        ("09 07 0900 02 0a00 0129 0900 02 0a00 0129", "the same handle twice"),
        ("09 07 0900 02 0a00 0129 0800 02 0a00 0129", "handles that fall"),
        ("09 06 0800 02 0900 01", "a UUID of one byte"),
        ("09 09 0800 02 0900 01290000", "a UUID of four bytes"),
        ("09 07 0800 02 0900", "a short list"),
        ("09 00", "entries of nothing"),
        ("09 05 0800020900", "no UUID"),
    ])
    func `a damaged characteristic list is a failure`(_ answer: String, _ about: Comment) {
        var script = Script()
        script.client.start(search)
        for answer in ["030502", "07 0700 0b00"] {
            _ = script.next()
            #expect(script.answer(answer) == nil)
        }
        _ = script.next()
        #expect(script.answer(answer) == .failed(.protocolViolation), about)
    }
}

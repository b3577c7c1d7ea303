import GATT
import TestSupport
import Testing

/// Arbitrary PDUs from a peer cause no trap, no answer longer than the MTU, and no endless procedure.
@Suite struct HostilePeerTests {
    private static let requests = [
        "020502", "021700", "040100ffff", "060100ffff0028f6fc", "080100ffff0328", "0a0900", "0a0300",
        "080100ffffe733898fe34321a12948058ff8c0983e", "0c09001600", "0e03000900", "100100ffff0028",
        "120b0002c8ff", "160b0000000102", "160b0012000102", "1801", "1800", "1e", "5213000102",
        "060100ffff00289bfd5bd672451e80d3424647af328142",
    ].map { [UInt8](hex: $0) }

    private static let responses = [
        "030502", "05010100002802000328", "0707000b00", "09070800020900 0129", "0b0102", "0d0102", "13",
        "09150800020900e733898fe34321a12948058ff8c0983e", "170b0012000102", "19", "01060100 0a", "010a090002",
        "010c090007", "1b09000102", "1d09000102", "110607000b00f6fc",
        "0b" + String(repeating: "ab", count: 22),
        "0d" + String(repeating: "ab", count: 22),
    ].map { [UInt8](hex: $0) }

    private func mutate(_ pdu: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var pdu = pdu
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let place = Int.random(in: 0...pdu.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0:
                pdu.insert(contentsOf: generator.bytes(Int.random(in: 1...4, using: &generator)), at: place)
            case 1: pdu.removeSubrange(place...)
            case 2 where place < pdu.count: pdu.remove(at: place)
            case 3 where place < pdu.count:
                pdu[place] = [0, 1, 0x7f, 0xff].randomElement(using: &generator) ?? 0
            case 4 where place < pdu.count: pdu[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 5 where place > 0 && pdu.count < 400: pdu += pdu.suffix(place)
            default: break
            }
        }
        return pdu
    }

    @Test(arguments: [23, 64, 517])
    func `mutated requests are answered within the MTU`(_ mtu: Int) throws {
        let seed = UInt64(0xa77 + mtu)
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var venue = try Venue(mtu: mtu)
        var answers = 0
        // `make fuzz` searches the same server (`attribute-server`).
        for _ in 0..<30_000 {
            guard let request = Self.requests.randomElement(using: &generator) else { return }
            let pdu = mutate(request, using: &generator)
            let mtuBefore = venue.bearer.mtu.byteCount
            let answer = venue.ask(pdu)
            if !answer.isEmpty { answers += 1 }
            guard answer.count <= mtuBefore, venue.bearer.mtu.byteCount >= 23 else {
                Issue.record("\(pdu.hex) was answered by \(answer.hex)")
                return
            }
            // A request gets exactly one answer, and a command gets none.
            if let opcode = pdu.first, opcode & 1 == 0, opcode & 0x40 == 0, opcode != 0x1e {
                guard !answer.isEmpty, answer[0] == opcode + 1 || answer.prefix(2) == [1, opcode] else {
                    Issue.record("\(pdu.hex) was answered by \(answer.hex)")
                    return
                }
            }
            if venue.values.writes.count > 1000 { venue.values.writes.removeAll() }
            // The agreed MTU can only fall, so the test starts a new link when it has fallen.
            if venue.bearer.mtu.byteCount < mtu { venue.bearer = try Venue(mtu: mtu).bearer }
        }
        #expect(answers > 15_000)
        #expect(venue.values.writes.allSatisfy { $0.value.count <= 512 })
    }

    @Test func `mutated answers never trap the client and never keep it busy for ever`() {
        let seed: UInt64 = 0xc11e
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let search = CharacteristicSearch(
            services: UUIDList(.herald, .legacyHerald), characteristic: .payload,
            others: UUIDList(.compliantSignal, .otherSignal))
        var client = AttributeClient()
        var mtu = NegotiatedMTU()
        var request = ATTBuffer()
        var opcode: UInt8 = 0
        var endings = 0
        for _ in 0..<100_000 {
            if !client.isBusy {
                client.start(search)
                mtu = NegotiatedMTU()
            }
            if client.nextRequest(mtu: mtu, into: &request) { opcode = request[0] }
            // Every second answer matches the pending request, if possible.
            let fitting = Self.responses.filter { $0[0] == opcode + 1 }
            let pool = Bool.random(using: &generator) && !fitting.isEmpty ? fitting : Self.responses
            guard let response = pool.randomElement(using: &generator) else { return }
            if client.receive(mutate(response, using: &generator).span, mtu: &mtu) != nil { endings += 1 }
            if client.isWaiting, Int.random(in: 0..<20, using: &generator) == 0 { client = AttributeClient() }
        }
        #expect(endings > 1000)
    }

    /// Counts requests to a server that never reports an end.
    private func requestsUntilTheEnd(_ answer: (ATTRequest) -> [UInt8]) throws -> (Int, AttributeClientEvent?)
    {
        var client = AttributeClient()
        var mtu = NegotiatedMTU()
        var request = ATTBuffer()
        client.start(
            CharacteristicSearch(
                services: UUIDList(.herald, .legacyHerald, .experiment, BluetoothUUID(0xfd6f)),
                characteristic: .payload))
        for count in 1...10_000 {
            guard client.nextRequest(mtu: mtu, into: &request) else { return (count, nil) }
            let response = answer(try ATTRequest(request.span))
            if let event = client.receive(response.span, mtu: &mtu) { return (count, event) }
        }
        return (10_000, nil)
    }

    @Test func `the client leaves a service without an end`() throws {
        let (count, event) = try requestsUntilTheEnd { request in
            switch request {
            case .exchangeMTU: [0x03, 23, 0]
            case .findByTypeValue: [0x07, 1, 0, 0xff, 0xff]
            case .readByType(let range, _):
                [
                    0x09, 7, UInt8(range.first & 0xff), UInt8(range.first >> 8), 2,
                    UInt8((range.first + 1) & 0xff), UInt8((range.first + 1) >> 8), 1, 0x29,
                ]
            default: []
            }
        }
        #expect(event == .failed(.tooManyCharacteristics))
        #expect(count == 2 + AttributeClient.maximumCharacteristicCount + 1)
    }

    @Test func `the client leaves many services that lack the characteristic`() throws {
        let (count, event) = try requestsUntilTheEnd { request in
            switch request {
            case .exchangeMTU: [0x03, 23, 0]
            case .findByTypeValue(let range, _, _): [0x07, UInt8(range.first), 0, UInt8(range.first + 1), 0]
            case .readByType(let range, _):
                [0x09, 7, UInt8(range.first), 0, 2, UInt8(range.first + 1), 0, 1, 0x29]
            default: []
            }
        }
        #expect(event == .failed(.characteristicNotFound))
        #expect(count == 1 + 8 * 2, "eight instances of the first service are tried")
    }

    @Test func `the client leaves a value without an end`() throws {
        let payload = [UInt8](hex: "e733898fe34321a12948058ff8c0983e")
        let (count, event) = try requestsUntilTheEnd { request in
            switch request {
            case .exchangeMTU: [0x03, 23, 0]
            case .findByTypeValue: [0x07, 1, 0, 2, 0]
            case .readByType: [0x09, 21, 1, 0, 2, 2, 0] + payload
            case .read: [0x0b] + [UInt8](repeating: 1, count: 22)
            case .readBlob: [0x0d] + [UInt8](repeating: 1, count: 22)
            default: []
            }
        }
        #expect(event == .failed(.valueTooLong))
        #expect(count == 3 + 24)
    }

    @Test func `the client never continues behind the last handle`() throws {
        let (count, event) = try requestsUntilTheEnd { request in
            switch request {
            case .exchangeMTU: [0x03, 23, 0]
            case .findByTypeValue: [0x07, 0xfe, 0xff, 0xff, 0xff]
            case .readByType: [0x09, 7, 0xfe, 0xff, 2, 0xff, 0xff, 1, 0x29]
            default: []
            }
        }
        #expect(event == .failed(.characteristicNotFound))
        #expect(count == 1 + 4 * 2)
    }
}

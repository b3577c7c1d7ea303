import FixedMemory
import GATT
import Protocols

/// The input is the procedure (1), then answers: a byte with a flag and 7 bits of length, then the bytes.
/// Flag 80 puts the opcode that answers the last request before the bytes, which helps the fuzzer to reach
/// deep states.
enum AttributeClientTarget {
    /// The limit covers the longest search: an MTU exchange, two services with 64 characteristics each, a
    /// final request without result, and a value in parts of 22 bytes. It also covers a value written in
    /// parts of 18 bytes.
    private static let mostRequests = 200

    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        var client = AttributeClient()
        var mtu = NegotiatedMTU()
        begin(script.byte(), &client)
        var requestCount = 0
        var request = ATTBuffer()
        while !script.isAtEnd || client.hasRequest {
            if client.hasRequest {
                try require(
                    client.nextRequest(mtu: mtu, into: &request), "a request that was announced comes")
                requestCount += 1
                try require(request.count > 0 && request.count <= mtu.byteCount, "a request fits the MTU")
                try require((try? ATTRequest(request.span)) != nil, "a request that our own server can read")
            } else {
                try require(!client.nextRequest(mtu: mtu, into: &request), "no other comes")
            }
            guard !script.isAtEnd else { break }
            let head = script.byte()
            var answer = script.take(Int(head & 0x7f))
            if head & 0x80 != 0 { answer.insert(request.isEmpty ? 0 : request.span[0] + 1, at: 0) }
            let event = client.receive(answer.span, mtu: &mtu)
            try require(client.value.count <= ATT.maximumValueByteCount, "a value of at most 512 bytes")
            if event != nil { try require(!client.isBusy && !client.isWaiting, "what has ended has ended") }
            if !client.isBusy { return }
        }
        try require(requestCount <= mostRequests, "a procedure ends, but has sent \(requestCount) requests")
    }

    private static func begin(_ choice: UInt8, _ client: inout AttributeClient) {
        switch choice & 3 {
        case 0, 1: client.start(HeraldService.payloadSearch)
        case 2: client.startReading(handle: UInt16(choice))
        default:
            let value = [UInt8](repeating: choice, count: 2 * Int(choice))
            try? client.startWriting(value.span, handle: 11)
        }
    }
}

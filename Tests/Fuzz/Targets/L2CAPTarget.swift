import FixedMemory
import GATT
import Protocols

/// The input is the local role (1), then the data of ACL packets. A byte holds the boundary flag in its top
/// two bits and a quarter of the length in the other six; the data follows.
enum L2CAPTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        try reassemble(input)
        try serve(input)
    }

    private static func reassemble(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        _ = script.byte()
        var reassembler = L2CAPReassembler()
        var collected: [UInt8] = []
        while !script.isAtEnd {
            let (boundary, data) = fragment(&script)
            if boundary != .continuation { collected = [] }
            collected += data
            guard reassembler.receive(data.span, boundary: boundary) else { continue }
            let payload = reassembler.payload.array
            try require(payload.count <= L2CAP.maximumPayloadByteCount, "a payload fits an ATT PDU")
            let length = [UInt8(payload.count & 255), UInt8(payload.count >> 8)]
            let channel = [UInt8(reassembler.channel & 255), UInt8(reassembler.channel >> 8)]
            try require(length + channel + payload == collected, "a PDU is its fragments, and nothing else")
        }
    }

    private static func serve(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        let role = script.byte()
        var payload = FixedBuffer<512>()
        for index in 0..<60 { try? payload.append(UInt8(truncatingIfNeeded: index)) }
        guard var server = try? HeraldServer(payload: payload, linkLimit: 1) else { return }
        let name = Array("Tabard".utf8)
        let table = HeraldServer.makeTable(deviceName: name.span)
        var link = GATTLink(role: role & 1 == 0 ? .central : .peripheral)
        if role & 2 != 0 { link.start(HeraldService.payloadSearch) }
        var replies = L2CAPReassembler()
        while !script.isAtEnd {
            let (boundary, data) = fragment(&script)
            let outcome = link.receive(
                data.span, boundary: boundary, link: 0, table: table, delegate: &server)
            if role & 1 != 0 {
                try require(outcome.connectionParameters == nil, "a peripheral sets no timing")
            }
            // This simulates a controller that accepts nothing for a while: answers must wait or be dropped,
            // never mixed up.
            if role & 4 == 0 || boundary == .firstFlushable { try drain(&link, &replies) }
        }
        try drain(&link, &replies)
    }

    private static func drain(_ link: inout GATTLink, _ replies: inout L2CAPReassembler) throws(FuzzFinding) {
        var data = FixedBuffer<27>()
        var count = 0
        while let boundary = link.nextFragment(maximumByteCount: 27, into: &data) {
            count += 1
            try require(count <= 1_000, "an end of what is to be sent")
            try require(!data.isEmpty, "no empty fragments")
            _ = replies.receive(data.span, boundary: boundary)
            data.removeAll()
        }
        try require(replies.droppedCount == 0, "what we send can be put together")
    }

    private static func fragment(_ script: inout Script) -> (ACLBoundary, [UInt8]) {
        let head = script.byte()
        return (ACLBoundary(rawValue: head >> 6) ?? .continuation, script.take(4 * Int(head & 0x3f)))
    }
}

import DeviceSync
import FixedMemory

/// The input is parsed as CBOR, as a packet for the client, and as text.
enum CBORTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        try readMap(input)
        try writeAndRead(input)
        readAnswer(input)
        try readIndex(input)
        try readDateTime(input)
    }

    private static let keys: [StaticString] = [
        "off", "name", "data", "len", "wall", "error", "d", "rc", "", "type",
    ]

    private static func readMap(_ input: [UInt8]) throws(FuzzFinding) {
        guard let map = try? CBORMap(input.span) else { return }
        for key in keys {
            _ = try? map.unsigned(key)
            if let text = try? map.text(key) {
                try require(text.count < input.count, "a text is part of the map")
            }
            if let bytes = try? map.bytes(key) {
                try require(bytes.count < input.count, "bytes are part of the map")
            }
            let _: Bytes<16>? = try? map.block(key)
        }
        // A nested map begins after its key, so nesting must end.
        var depth = 0
        nested(map, &depth)
        try require(depth <= input.count, "maps end")
    }

    private static func nested(_ map: borrowing CBORMap, _ depth: inout Int) {
        guard let inner = try? map.map("err") else { return }
        depth += 1
        _ = try? inner.unsigned("rc")
        _ = try? inner.unsigned("group")
    }

    private static func writeAndRead(_ input: [UInt8]) throws(FuzzFinding) {
        guard input.count >= 8 else { return }
        let number = input.span.loadUInt64(at: 0)
        var buffer = FixedBuffer<4096>()
        do throws(CapacityError) {
            try buffer.append(cborMap: 2)
            try buffer.append(key: "off", unsigned: number)
            try buffer.append(key: "data", bytes: input.span)
        } catch {
            return
        }
        guard let map = try? CBORMap(buffer.span) else {
            throw FuzzFinding(description: "what we write is CBOR")
        }
        try require((try? map.unsigned("off")) == number, "a number written and read is the same")
        let bytes = try? map.bytes("data")
        try require(bytes?.array == input, "bytes written and read are the same")
    }

    private static func readAnswer(_ input: [UInt8]) {
        let path = Array("/log".utf8)
        guard let request = try? SyncRequest.download(path: path.span, offset: 0, sequence: 1) else { return }
        // The header matches the request, so that the client reads the body.
        var packet = SMPPacket(request.header.response)
        guard (try? packet.append(input.span)) != nil else { return }
        guard let response = try? SyncResponse(packet.span, to: request) else { return }
        _ = try? response.parameters()
        _ = try? response.echo()
        _ = try? response.dateTime()
        _ = try? response.download()
        _ = try? response.fileByteCount()
        _ = try? response.fileHash()
        _ = try? response.boardStatus()
    }

    private static func readIndex(_ input: [UInt8]) throws(FuzzFinding) {
        guard var reader = try? SyncIndexReader(input.span) else { return }
        var count = 0
        do {
            while try reader.next() != nil { count += 1 }
        } catch {}
        try require(12 * count <= input.count, "no more segments than lines")
    }

    private static func readDateTime(_ input: [UInt8]) throws(FuzzFinding) {
        guard let time = DateTimeText.time(input.span) else { return }
        var text = FixedBuffer<32>()
        guard (try? DateTimeText.write(time, into: &text)) != nil else {
            throw FuzzFinding(description: "a time that was read can be written")
        }
        try require(DateTimeText.time(text.span) == time, "a time written and read is the same")
    }
}

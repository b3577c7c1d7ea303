import FixedMemory
import GATT
import Protocols

/// Input: the MTU that the peer asks for (2), then requests: how many bytes (1), so many.
enum AttributeServerTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var payload = FixedBuffer<512>()
        for index in 0..<129 { try? payload.append(UInt8(truncatingIfNeeded: index * 7)) }
        guard var server = try? HeraldServer(payload: payload, linkLimit: 1) else { return }
        let name = Array("Tabard".utf8)
        let table = HeraldServer.makeTable(deviceName: name.span)
        var bearer = ATTBearer()
        var script = Script(input)
        let mtu = script.word()
        if mtu > 0 {
            let exchange = [2, UInt8(mtu & 255), UInt8(mtu >> 8)]
            _ = try ask(exchange, &bearer, table, &server)
        }
        while !script.isAtEnd { try ask(script.chunk(), &bearer, table, &server) }
    }

    @discardableResult
    private static func ask(
        _ pdu: [UInt8], _ bearer: inout ATTBearer, _ table: HeraldServer.Table, _ server: inout HeraldServer
    ) throws(FuzzFinding) -> [UInt8] {
        var answer = ATTBuffer()
        let mtuBefore = bearer.mtu.byteCount
        _ = bearer.receive(pdu.span, link: 0, table: table, delegate: &server, answer: &answer)
        _ = server.takeMessage()
        try require(answer.count <= mtuBefore, "an answer fits the MTU")
        try reencode(pdu)
        guard let opcode = pdu.first else {
            try require(answer.isEmpty, "nothing is not answered")
            return []
        }
        let isFromServer = ATTOpcode(rawValue: opcode)?.isFromServer == true
        if isFromServer {
            let confirmation = opcode == 0x1d ? 1 : 0
            try require(answer.count == confirmation, "of a server's PDUs, indications are confirmed")
        } else if opcode & 0x40 != 0 || opcode == 0x1e {
            try require(answer.isEmpty, "commands and confirmations are not answered")
        } else {
            try require(answer.count > 0, "a request is answered")
            let isError = answer.span[0] == 1 && answer.count == 5 && answer.span[1] == opcode
            try require(isError || answer.span[0] == opcode + 1, "with its response or an error")
            guard let response = ATTResponse(answer.span) else {
                throw FuzzFinding(description: "an answer that our own client can read")
            }
            var again = ATTBuffer()
            try? response.append(to: &again)
            try require(again == answer, "an answer read and written is the same")
        }
        return answer.span.array
    }

    private static func reencode(_ pdu: [UInt8]) throws(FuzzFinding) {
        guard pdu.count <= 500, let request = try? ATTRequest(pdu.span) else { return }
        var again = ATTBuffer()
        try? request.append(to: &again)
        switch request {
        // A UUID may come in its long form, and is written in its short one.
        case .readByType, .readByGroupType: try require(again.count <= pdu.count, "a UUID grows no longer")
        default: try require(again.span.array == pdu, "a request read and written is the same")
        }
    }
}

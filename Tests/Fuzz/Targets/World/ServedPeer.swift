import FixedMemory
import GATT
import Peers
import Protocols
import Schemes

/// A peer that sends requests to the server of all schemes and checks each answer.
struct ServedPeer {
    static let secret = Bytes<32>()

    private let link: Int
    private let table: IdentityServer.Table
    private let sonarHandle: UInt16?
    private let covidTracerHandle: UInt16?
    private let own: OwnSchemes
    private var bearer = ATTBearer()
    private var hasWritten = false
    /// The part of Sonar's answer received so far, from its beginning.
    private var sonarAnswer: [UInt8]?

    /// Opens a link.
    init(link: Int, of server: inout IdentityServer) {
        self.link = link
        var offer = IdentityServer.Offer()
        offer.sonar = true
        offer.covidTracer = true
        offer.bleProximity = true
        let name = Array("Tabard".utf8)
        let table = IdentityServer.makeTable(deviceName: name.span, offer)
        self.table = table
        sonarHandle = table.handle(of: SchemeService.sonar.identity)
        covidTracerHandle = table.handle(of: SchemeService.covidTracer.identity)
        own = Self.own(on: link)
        server.linkOpened(link, payload: Self.payload(on: link), own: own)
    }

    /// Sends a PDU and checks the answer.
    mutating func ask(_ pdu: [UInt8], _ server: inout IdentityServer) throws(FuzzFinding) {
        var answer = ATTBuffer()
        let mtuBefore = bearer.mtu.byteCount
        let otherWants = server.wantsKeepAlives(1 - link)
        _ = bearer.receive(pdu.span, link: link, table: table, delegate: &server, answer: &answer)
        _ = server.herald.takeMessage()
        try require(answer.count <= mtuBefore, "an answer fits the MTU")
        try require(server.wantsKeepAlives(1 - link) == otherWants, "subscriptions are each link's own")
        if let written = server.takeWritten() {
            try require(written.link == link && !hasWritten, "a link writes one identity, its own")
            hasWritten = true
        }
        try Self.reencode(pdu)
        try Self.check(answer, to: pdu)
        try checkIdentities(answer.span.array, to: pdu, mtu: mtuBefore)
    }

    private static func own(on link: Int) -> OwnSchemes {
        var own = OwnSchemes()
        own[.sonar] = value(108, link)
        own[.covidTracer] = value(20, link)
        own[.bleProximity] = value(8, link)
        return own
    }

    private static func value(_ byteCount: Int, _ link: Int) -> OwnSchemes.Value {
        var value = OwnSchemes.Value()
        for index in 0..<byteCount { try? value.append(UInt8(truncatingIfNeeded: index &* 7 &+ link)) }
        return value
    }

    private static func payload(on link: Int) -> FixedBuffer<512> {
        var payload = FixedBuffer<512>()
        for index in 0..<129 { try? payload.append(UInt8(truncatingIfNeeded: index &* 7 &+ link)) }
        return payload
    }
}

// MARK: Invariants

extension ServedPeer {
    private static func check(_ answer: ATTBuffer, to pdu: [UInt8]) throws(FuzzFinding) {
        guard let opcode = pdu.first else {
            return try require(answer.isEmpty, "nothing is not answered")
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
    }

    private static func reencode(_ pdu: [UInt8]) throws(FuzzFinding) {
        guard pdu.count <= 500, let request = try? ATTRequest(pdu.span) else { return }
        var again = ATTBuffer()
        try? request.append(to: &again)
        switch request {
        // A UUID may arrive in its long form but is written in its short form.
        case .readByType, .readByGroupType: try require(again.count <= pdu.count, "a UUID grows no longer")
        default: try require(again.span.array == pdu, "a request read and written is the same")
        }
    }

    /// A link must serve the identity it had when it opened. Consecutive parts of Sonar's answer must belong
    /// to one answer.
    private mutating func checkIdentities(
        _ answer: [UInt8], to pdu: [UInt8], mtu: Int
    ) throws(FuzzFinding) {
        let begun = sonarAnswer
        sonarAnswer = nil
        guard let request = try? ATTRequest(pdu.span), let first = answer.first, first != 1 else { return }
        let piece = Array(answer.dropFirst())
        switch request {
        case .read(let handle) where handle == covidTracerHandle:
            try require(piece == own[.covidTracer].span.array, "a link is served its own")
        case .read(let handle) where handle == sonarHandle:
            try checkSonar(piece, isLast: answer.count < mtu)
        case .readBlob(let handle, let offset) where handle == sonarHandle && Int(offset) == begun?.count:
            try checkSonar((begun ?? []) + piece, isLast: answer.count < mtu)
        default: break
        }
    }

    private mutating func checkSonar(_ value: [UInt8], isLast: Bool) throws(FuzzFinding) {
        guard isLast else {
            sonarAnswer = value
            return
        }
        try require(value.count == SonarPayload.byteCount, "Sonar's answer has 129 bytes")
        try require(Array(value.prefix(108)) == own[.sonar].span.array, "and begins with this link's value")
        let signed = Array(value.prefix(SonarPayload.signedByteCount))
        let code = (try? SonarPayload.auth(of: signed.span, secret: Self.secret))?.span.array
        try require(Array(value.suffix(16)) == code, "its code is of what stands before it")
    }
}

extension AttributeTable {
    /// Returns the value handle of a characteristic.
    fileprivate func handle(of type: BluetoothUUID) -> UInt16? {
        (1...UInt16.max).prefix { contains($0) }.first { self[$0].type == type }
    }
}

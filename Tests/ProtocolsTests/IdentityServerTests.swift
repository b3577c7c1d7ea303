import FixedMemory
import GATT
import HCI
import Protocols
import Schemes
import TestSupport
import Testing

/// The server of all schemes on one link, with a phone's requests in hexadecimal.
private struct Caller: ~Copyable {
    let table: IdentityServer.Table
    var server: IdentityServer
    var bearer = ATTBearer()
    var link = 1

    /// Enables all schemes. `seconds`: the server's time, since 1970.
    init(_ own: OwnSchemes, at seconds: UInt64 = 0) throws {
        var offer = IdentityServer.Offer()
        (offer.sonar, offer.covidTracer, offer.bleProximity) = (true, true, true)
        let name = Array("Tabard".utf8)
        table = IdentityServer.makeTable(deviceName: name.span, offer)
        server = try IdentityServer(
            herald: HeraldServer(payload: FixedBuffer(), linkLimit: 4), linkLimit: 4)
        server.own = own
        server.wallClockOffset = ClockOffset(of: WallClockTime(seconds: seconds), at: .start)
        server.linkOpened(link, payload: FixedBuffer(), own: own)
    }

    mutating func ask(_ hex: String) -> String {
        var answer = ATTBuffer()
        let pdu = [UInt8](hex: hex)
        _ = bearer.receive(pdu.span, link: link, table: table, delegate: &server, answer: &answer)
        return (0..<answer.count).map { answer[$0] }.hex
    }

    /// Reads the value at a handle in pieces of 22 bytes. `pause`: seconds between two pieces.
    mutating func readInPieces(_ handle: String, pause: UInt64 = 0) -> String {
        var value = String(ask("0a" + handle).dropFirst(2))
        while !value.isEmpty, value.count.isMultiple(of: 44) {
            server.herald.now += pause * 1_000
            let offset = value.count / 2
            let piece = ask("0c" + handle + [UInt8(offset & 255), UInt8(offset >> 8)].hex)
            value += piece.dropFirst(2)
        }
        return value
    }
}

/// Sonar: handles 17 to 23; CovidTracer: 24 to 26; BLE-Proximity: 27 to 29.
@Suite struct IdentityServerTests {
    /// Tests/Vectors/schemes/sonar.json, day-0.
    fileprivate static let broadcast =
        "033a92af23fdbfbf884edd4c314c2c2131426c2c297c9731fd6d3710f9c7853b145cb360187bb1e5"
        + "0befc68fc9bec037e8b8ee9bc385ef93ae054060caa435ad7b55ff2f9d3fa85c624b5e7ac0ce9652"
        + "c6144a3cfe2047fc86f2c796fbe3363c3aa2c4d5cd967a5692576779"
    private static let secret = "1b9a354e9ea0b86494bb8b430bb31d4cb0e341bb2b1ab11e12ccda92cc21779e"
    private static let payload =
        "033a92af23fdbfbf884edd4c314c2c2131426c2c297c9731fd6d3710f9c7853b145cb360187bb1e5"
        + "0befc68fc9bec037e8b8ee9bc385ef93ae054060caa435ad7b55ff2f9d3fa85c624b5e7ac0ce9652"
        + "c6144a3cfe2047fc86f2c796fbe3363c3aa2c4d5cd967a5692576779f95eb3d1b21a3838c6ee0d18"
        + "31b6b8aec2ca85c9ff"
    private static let seconds: UInt64 = 1588842930

    private static func own() throws -> OwnSchemes {
        var own = OwnSchemes()
        own[.sonar] = try value(broadcast)
        own[.covidTracer] = try value("000102030405060708090a0b0c0d0e0f10111213")
        own[.bleProximity] = try value("efcdab8967452301")
        return own
    }

    fileprivate static func value(_ hex: String) throws -> OwnSchemes.Value {
        let bytes = [UInt8](hex: hex)
        let value = OwnSchemes.Value(bytes.span)
        return try #require(value)
    }

    private static func caller() throws -> Caller {
        var caller = try Caller(try own(), at: seconds)
        let bytes = [UInt8](hex: secret)
        caller.server.sonarSecret = Bytes<32>(bytes.span)
        caller.server.txPowerDBm = -7
        return caller
    }

    @Test func `Each enabled scheme has its service, with the originals' characteristics`() throws {
        var caller = try Self.caller()
        caller.bearer = ATTBearer()
        _ = caller.ask("02 0502")
        #expect(
            caller.ask("10 1100 ffff 0028") == "1114"
                + "11001700" + "219bded686bb2e8ec84a94fa3c98f5c1"
                + "18001a00" + "ed7a41af69dab385b848d69e4074fc22"
                + "1b001d00" + "f91ae0661c737490f74ad6658e29998e")
        // Properties: read and notify; notify; read; read and both kinds of write.
        #expect(
            caller.ask("08 1100 ffff 0328") == "0915"
                + "1200" + "12" + "1300" + "72c935d1fea9f7a5eb48645b7c33bf85"
                + "1500" + "10" + "1600" + "5ce85fe0be9f5a98dd407b5c45c602d8"
                + "1900" + "02" + "1a00" + "e6e5e1c706bda3b9464d7f474a49b904"
                + "1c00" + "0e" + "1d00" + "33f04e67e9e2dd8cf74e15744755569f")
        #expect(caller.ask("04 1400 1400") == "0501" + "1400" + "0229")
        #expect(caller.ask("04 1700 1700") == "0501" + "1700" + "0229")
    }

    @Test func `Without enabled schemes the table is Herald's`() {
        let name = Array("Tabard".utf8)
        #expect(
            IdentityServer.makeTable(deviceName: name.span, IdentityServer.Offer()).count
                == HeraldServer.makeTable(deviceName: name.span).count)
    }

    @Test func `Sonar's answer has the value, power, time and code, byte for byte`() throws {
        var caller = try Self.caller()
        _ = caller.ask("02 0502")
        #expect(caller.ask("0a 1300") == "0b" + Self.payload)
    }

    @Test func `A long read returns pieces of one answer, however long it takes`() throws {
        var caller = try Self.caller()
        #expect(caller.readInPieces("1300", pause: 2) == Self.payload)
        let later = caller.readInPieces("1300")
        #expect(later.count == Self.payload.count && later != Self.payload)
        #expect(later.prefix(218) == Self.payload.prefix(218), "value and power")
        #expect(later.dropFirst(218).prefix(8) == "5eb3d1bc", "10 s later")
    }

    @Test func `Sonar's answer after the end of its value has the last second of that`() throws {
        var own = try Self.own()
        own.sonarEndSeconds = UInt32(Self.seconds) + 1
        var caller = try Self.caller()
        caller.server.linkOpened(1, payload: FixedBuffer(), own: own)
        _ = caller.ask("02 0502")
        #expect(caller.ask("0a 1300") == "0b" + Self.payload)
        caller.server.herald.now += 9_000
        #expect(caller.ask("0a 1300") == "0b" + Self.payload)
    }

    @Test func `Sonar's answer is empty without a registration, the time or a value`() throws {
        var caller = try Self.caller()
        caller.server.sonarSecret = nil
        #expect(caller.ask("0a 1300") == "0b")
        caller = try Self.caller()
        caller.server.wallClockOffset = nil
        #expect(caller.ask("0a 1300") == "0b")
        caller = try Self.caller()
        caller.server.linkOpened(1, payload: FixedBuffer(), own: OwnSchemes())
        #expect(caller.ask("0a 1300") == "0b")
    }

    @Test func `CovidTracer's identifier and BLE-Proximity's identity are served`() throws {
        var caller = try Self.caller()
        #expect(caller.ask("0a 1a00") == "0b000102030405060708090a0b0c0d0e0f10111213")
        #expect(caller.ask("0a 1d00") == "0befcdab8967452301")
    }

    @Test func `A link's identities stay while it lasts`() throws {
        var caller = try Self.caller()
        caller.server.own = OwnSchemes()
        #expect(caller.ask("0a 1d00") == "0befcdab8967452301")
        caller.server.linkOpened(1, payload: FixedBuffer(), own: caller.server.own)
        #expect(caller.ask("0a 1d00") == "0b")
    }

    @Test(arguments: ["1400", "1700"])
    func `Each link has its own subscriptions`(_ handle: String) throws {
        var caller = try Self.caller()
        #expect(caller.ask("0a" + handle) == "0b0000")
        #expect(caller.ask("12" + handle + "0100") == "13")
        #expect(caller.ask("0a" + handle) == "0b0100")
        let wantsKeepAlives = caller.server.wantsKeepAlives(1)
        #expect(wantsKeepAlives == (handle == "1700"))
        #expect(caller.ask("12" + handle + "0200") == "0112" + handle + "13", "there are no indications")
        #expect(caller.ask("12" + handle + "01") == "0112" + handle + "0d")
        caller.link = 2
        caller.server.linkOpened(2, payload: FixedBuffer(), own: OwnSchemes())
        #expect(caller.ask("0a" + handle) == "0b0000")
        caller.server.linkOpened(1, payload: FixedBuffer(), own: OwnSchemes())
        let stillWants = caller.server.wantsKeepAlives(1)
        #expect(!stillWants, "nothing outlives a link")
    }

    @Test(arguments: ["12", "52"])
    func `An identity is written once on a link, with response or without`(_ opcode: String) throws {
        var caller = try Self.caller()
        #expect(caller.ask(opcode + "1d00 8877665544332211") == (opcode == "12" ? "13" : ""))
        let written = caller.server.takeWritten()
        #expect(written?.link == 1)
        #expect(written?.identity == BLEProximityUserID(0x1122_3344_5566_7788))
        _ = caller.ask(opcode + "1d00 8877665544332212")
        let refused = caller.server.takeWritten()
        #expect(refused == nil)
    }

    @Test func `A value too short for an identity is refused`() throws {
        var caller = try Self.caller()
        #expect(caller.ask("12 1d00 88776655443322") == "01121d000d")
        let written = caller.server.takeWritten()
        #expect(written == nil)
    }

    @Test func `All links together may write sixty identities at once, and then one a second`() throws {
        var caller = try Self.caller()
        func writeOnNewLink(_ caller: inout Caller) -> Bool {
            caller.server.linkOpened(1, payload: FixedBuffer(), own: OwnSchemes())
            return caller.ask("12 1d00 8877665544332211") == "13"
        }
        var count = 0
        while writeOnNewLink(&caller) { count += 1 }
        #expect(count == 60)
        caller.server.herald.now += 1_000
        let answers = (writeOnNewLink(&caller), writeOnNewLink(&caller))
        #expect(answers == (true, false))
    }
}

@Suite struct AdvertTurnTests {
    private static func own(sonar: Bool, bleProximity: Bool) throws -> OwnSchemes {
        var own = OwnSchemes()
        if sonar { own[.sonar] = try IdentityServerTests.value(IdentityServerTests.broadcast) }
        if bleProximity { own[.bleProximity] = try IdentityServerTests.value("efcdab8967452301") }
        return own
    }

    private static func advert(_ isHerald: Bool, _ own: OwnSchemes, at instant: Instant) throws -> String {
        let power = try #require(TransmitPower(dBm: 8))
        let slot = AdvertisingSlots(isHerald: isHerald, own).slot(at: instant)
        let data = HeraldAdvert.data(transmitPower: power, slot: slot)
        return (0..<data.count).map { data[$0] }.hex
    }

    @Test func `Each scheme has 1.5 s, and every advert has Herald's 16-bit service`() throws {
        let own = try Self.own(sonar: true, bleProximity: true)
        let (start, end) = ("0201060303f6fc1107", "020a08")
        let herald = start + "9bfd5bd672451e80d3424647af328142" + end
        let sonar = start + "219bded686bb2e8ec84a94fa3c98f5c1" + end
        let proximity = start + "f91ae0661c737490f74ad6658e29998e" + end
        #expect(
            try [0, 1_499, 1_500, 2_999, 3_000, 4_499, 4_500].map { try Self.advert(true, own, at: $0) }
                == [herald, herald, sonar, sonar, proximity, proximity, herald])
    }

    @Test func `Herald's advert alone never changes`() throws {
        for milliseconds in stride(from: 0 as UInt64, to: 9_000, by: 500) {
            #expect(
                try Self.advert(true, OwnSchemes(), at: Instant(milliseconds: milliseconds))
                    == "0201060303f6fc11079bfd5bd672451e80d3424647af328142020a08")
        }
    }

    @Test func `Without an identity in Herald, the advert omits its services`() throws {
        let own = try Self.own(sonar: false, bleProximity: true)
        for milliseconds in [0, 1_500, 3_000] as [UInt64] {
            #expect(
                try Self.advert(false, own, at: Instant(milliseconds: milliseconds))
                    == "0201061107f91ae0661c737490f74ad6658e29998e020a08")
        }
        #expect(try Self.advert(false, OwnSchemes(), at: 0) == "020106020a08")
    }
}

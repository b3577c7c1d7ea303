import EncounterLog
import FixedMemory
import HCI
import Peers
import Replay
import TestSupport
import Testing

/// Identities that the links of a capture show.
@Suite struct ReplayIdentityTests {
    @Test func `a payload that was read identifies the peer`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask("02 0502")
        capture.hear("03 b900")
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear(TestCapture.payloadDeclared)
        capture.ask("0a 0300")
        capture.hear("0b 3012345678")
        capture.disconnect()
        let result = try capture.replay()
        #expect(result.identities == ["3012345678"])
        #expect(result.summary.links == 1 && result.summary.identities == 1)
    }

    @Test func `A peer's identities in other schemes are checked and recorded, if those schemes are on`()
        throws
    {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear("09 15 0200 12 0300 e6e5e1c706bda3b9464d7f474a49b904")
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear("09 15 0400 0e 0500 33f04e67e9e2dd8cf74e15744755569f")
        capture.ask("0a 0300")
        capture.hear("0b" + String(repeating: "ab", count: 20))
        capture.ask("0a 0500")
        capture.hear("0b 01020304")
        capture.disconnect()
        #expect(try capture.replay().identities.isEmpty)
        var settings = RecorderSettings()
        settings.heardHints.insert(.covidTracer)
        settings.heardHints.insert(.bleProximity)
        let result = try capture.replay(settings)
        #expect(result.entries.compactMap(\.identified?.scheme.id) == [.covidTracer])
        #expect(result.identities == [String(repeating: "ab", count: 20)])
        #expect(result.entries.compactMap(\.refused?.scheme.id) == [.bleProximity])
    }

    @Test func `a payload that was read in pieces is one payload`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear(TestCapture.payloadDeclared)
        let (first, second) = (String(repeating: "ab", count: 22), "cdef")
        capture.ask("0a 0300")
        capture.hear("0b" + first)
        capture.ask("0c 0300 1600")
        capture.hear("0d" + second)
        #expect(try capture.replay().identities == [first + second])
    }

    @Test func `a payload that ends with a full answer is complete`() throws {
        let value = String(repeating: "ab", count: 22)
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear(TestCapture.payloadDeclared)
        capture.ask("0a 0300")
        capture.hear("0b" + value)
        var refused = capture
        refused.ask("0c 0300 1600")
        refused.hear("01 0c 0300 07")
        #expect(try refused.replay().identities == [value])
        capture.disconnect()
        #expect(try capture.replay().identities == [value])
    }

    @Test func `a peer that writes its payload in pieces is identified`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect(role: "01")
        capture.hear(TestCapture.askForCharacteristics)
        capture.say(TestCapture.signalDeclared, .hostToController)
        capture.hear("12 0500 01 0500 3012")
        capture.say("13", .hostToController)
        capture.hear("12 0500 345678")
        capture.say("13", .hostToController)
        #expect(try capture.replay().identities == ["3012345678"])
    }

    @Test func `a peer's RSSI message is no reading, but a claimed encounter`() throws {
        var capture = TestCapture()
        capture.connect(role: "01")
        capture.hear(TestCapture.askForCharacteristics)
        capture.say(TestCapture.signalDeclared, .hostToController)
        capture.hear("12 0500 02 c8ff")
        let result = try capture.replay()
        #expect(result.opened.map(\.foundBy) == [.connectedToUs])
        #expect(result.samples.isEmpty)
    }

    @Test func `the board's own payload identifies no peer`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect(role: "01")
        capture.hear(TestCapture.askForCharacteristics)
        capture.say(TestCapture.payloadDeclared, .hostToController)
        capture.hear("0a 0300")
        capture.say("0b 3012345678", .hostToController)
        #expect(try capture.replay().identities == [])
    }

    @Test func `a read of another handle identifies no peer`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear(TestCapture.payloadDeclared)
        capture.ask("0a 0500")
        capture.hear("0b 3012345678")
        #expect(try capture.replay().identities == [])
    }

    @Test func `the address of the connection request counts`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.command("0d20 6000 3000 00 01 112233445566 01 1800 2800 0000 f401 0000 0000")
        capture.connect(address: "ffffffffffff")
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear(TestCapture.payloadDeclared)
        capture.ask("0a 0300")
        capture.hear("0b 3012345678")
        let result = try capture.replay()
        #expect(result.identities == ["3012345678"] && result.opened.count == 1)
    }

    @Test func `a packet that was captured in part costs only the value being read`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear(TestCapture.payloadDeclared)
        capture.ask("0a 0300")
        capture.add([UInt8](hex: "0240200a000600040000"), .controllerToHost, originalByteCount: 15)
        capture.ask("0a 0300")
        capture.hear("0b 3012345678")
        let result = try capture.replay()
        #expect(result.identities == ["3012345678"])
        #expect(result.summary.cutPackets == 1)
    }

    @Test func `more links than there are slots cost the oldest`() throws {
        var capture = TestCapture()
        capture.adverts(5)
        capture.connect()
        capture.ask(TestCapture.askForCharacteristics)
        capture.hear(TestCapture.payloadDeclared)
        for handle in 0x50..<0x60 {
            capture.instant += 1
            capture.connect(handle: [UInt8(handle), 0].hex, address: "0000000000" + [UInt8(handle)].hex)
        }
        capture.ask("0a 0300")
        capture.hear("0b 3012345678")
        let result = try capture.replay()
        #expect(result.summary.links == 17)
        #expect(result.identities == [])
    }
}

import GATT
import TestSupport
import Testing

@Suite struct L2CAPSignallingTests {
    private func ask(_ command: String, as role: LinkRole) -> (answer: String, ConnectionParameters?) {
        var answer = L2CAPSignalling.Answer()
        let parameters = L2CAPSignalling.receive([UInt8](hex: command).span, role: role, answer: &answer)
        return (answer.span.array.hex, parameters)
    }

    @Test func `a central accepts valid link timing`() {
        let (answer, parameters) = ask("12 07 0800 1800 2800 0000 2a00", as: .central)
        #expect(answer == "1307 0200 0000".packed)
        #expect(
            parameters
                == ConnectionParameters(
                    intervalMinimum: 24, intervalMaximum: 40, latency: 0, supervisionTimeout: 42))
    }

    @Test(arguments: [
        "0500 2800 0000 2a00", "2900 2800 0000 2a00", "1800 810c 0000 800c", "1800 2800 f401 800c",
        "1800 2800 0000 0900", "1800 2800 0000 810c", "0600 200c 0000 0a00", "1800 2800 0300 2800",
        "ffff ffff ffff ffff", "0000 0000 0000 0000",
    ])
    func `a central rejects timing that no controller accepts`(_ timing: String) {
        let (answer, parameters) = ask("12 07 0800" + timing, as: .central)
        #expect(answer == "1307 0200 0100".packed)
        #expect(parameters == nil)
    }

    @Test func `a peripheral does not understand the request`() {
        let (answer, parameters) = ask("12 07 0800 1800 2800 0000 2a00", as: .peripheral)
        #expect(answer == "0107 0200 0000".packed)
        #expect(parameters == nil)
    }

    @Test(arguments: [
        "12 07 0700 1800 2800 0000 2a", "12 07 0900 1800 2800 0000 2a00", "12 07 0800 1800 2800 0000 2a00 00",
        "14 07 0a00 80001000400040000500", "17 07 0000", "16 07 0400 40000100", "ff 07 0000",
        "0a 07 0200 0200",
    ])
    func `other requests are rejected`(_ command: String) {
        #expect(ask(command, as: .central).answer == "0107 0200 0000".packed)
    }

    @Test func `a command longer than the signalling MTU is rejected with that MTU`() {
        let command = "ff 07 1400" + String(repeating: "00", count: 20)
        #expect(ask(command, as: .central).answer == "0107 0400 0100 1700".packed)
    }

    @Test(arguments: ["", "12", "12 07", "12 07 08", "12 00 0800 1800280000002a00"])
    func `a command that cannot be answered is ignored`(_ command: String) {
        #expect(ask(command, as: .central).answer == "")
    }

    @Test(arguments: ["01 07 0200 0000", "13 07 0200 0000", "15 07 0000", "18 07 0000"])
    func `answers are not answered`(_ command: String) {
        #expect(ask(command, as: .central).answer == "")
        #expect(ask(command, as: .peripheral).answer == "")
    }

    @Test(arguments: ["01 03000010 0707", "01", "0b 01"])
    func `pairing is refused`(_ pdu: String) {
        #expect(PairingRefusal.answer(to: [UInt8](hex: pdu).span)?.span.array == [0x05, 0x05])
    }

    @Test(arguments: ["", "05 05", "02 03000010 0707", "0c", "ff"])
    func `other messages of the Security Manager are ignored`(_ pdu: String) {
        #expect(PairingRefusal.answer(to: [UInt8](hex: pdu).span) == nil)
    }
}

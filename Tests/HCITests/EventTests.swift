import FixedMemory
import HCI
import TestSupport
import Testing

@Suite struct EventTests {
    @Test func `Command Complete is read`() throws {
        let packet = [UInt8](hex: "040e0401030c00")
        guard case .commandComplete(let opCode, let credits, let returned) = try Event(packet.span) else {
            Issue.record("another event")
            return
        }
        let returnedCount = returned.count
        #expect(opCode == .reset && credits == 1 && returnedCount == 1)
    }

    @Test func `a connection with handle zero is read`() throws {
        let packet = [UInt8](hex: "043e13 01 00 0000 01 01 665544332211 1800 0000 f401 00")
        guard case .connectionComplete(let connection) = try Event(packet.span) else {
            Issue.record("another event")
            return
        }
        #expect(connection.status == .success)
        #expect(connection.handle.rawValue == 0)
        #expect(!connection.isCentral)
        #expect(connection.peer == DeviceAddress(value: 0x1122_3344_5566, isRandom: true))
        #expect(connection.supervisionTimeout.interval == 5_000)
    }

    @Test(arguments: [("d007", 20_000), ("800c", 32_000), ("810c", 32_000), ("ffff", 32_000), ("0000", 0)])
    func `the supervision timeout of an updated link is read`(timeout: String, milliseconds: UInt64) throws {
        let packet = [UInt8](hex: "043e0a 03 00 4000 1800 0000 \(timeout)")
        guard case .connectionUpdated(let handle, let status, let timeout) = try Event(packet.span) else {
            Issue.record("another event")
            return
        }
        #expect(
            handle.rawValue == 0x40 && status == .success && timeout.interval == .milliseconds(milliseconds))
    }

    /// Hosts with address resolution receive these events: both ends' resolvable addresses follow the same
    /// beginning.
    @Test(arguments: ["0a", "29"]) func `LE Enhanced Connection Complete is read`(_ subevent: String) throws {
        let rest = subevent == "29" ? "00 0000" : ""
        let parameters = [UInt8](
            hex: subevent + "00 4000 00 01 665544332211 000000000000 aabbccddeeff 1800 0000 f401 00" + rest)
        let packet = [4, 0x3e, UInt8(parameters.count)] + parameters
        guard case .connectionComplete(let connection) = try Event(packet.span) else {
            Issue.record("another event")
            return
        }
        #expect(connection.handle.rawValue == 0x40 && connection.isCentral)
        #expect(connection.supervisionTimeout.interval == 5_000)
        #expect(connection.peer == DeviceAddress(value: 0x1122_3344_5566, isRandom: true))
    }

    /// The first is an advertising report that lost its first bytes on the way from the controller.
    @Test(arguments: [
        "01 00 013d 3d d6 35a66015 0201021107000000000000000000000000000000",
        "01 00 000f 01 01 665544332211 1800 0000 f401 00",
        "01 00 4000 02 01 665544332211 1800 0000 f401 00",
        "01 00 4000 01 04 665544332211 1800 0000 f401 00",
    ]) func `a connection with an impossible handle, role or address type is refused`(hex: String) {
        let parameters = [UInt8](hex: hex)
        let packet = [4, 0x3e, UInt8(parameters.count)] + parameters
        #expect(throws: EventError.impossible(code: 0x3e)) { _ = try Event(packet.span) }
    }

    @Test func `a failed connection may have any handle`() throws {
        let packet = [UInt8](hex: "043e13 01 3e ffff ff ff 665544332211 1800 0000 f401 00")
        guard case .connectionComplete(let connection) = try Event(packet.span) else {
            Issue.record("another event")
            return
        }
        #expect(connection.status != .success)
    }

    @Test func `the completed packets of every link are read`() throws {
        let packet = [UInt8](hex: "041309 02 0000 0100 0140 0300")
        guard case .completedPackets(var list) = try Event(packet.span) else {
            Issue.record("another event")
            return
        }
        var counts: [UInt16: UInt16] = [:]
        while let entry = list.next() { counts[entry.handle.rawValue] = entry.count }
        #expect(counts == [0: 1, 1: 3])
    }

    @Test func `a length that disagrees with the packet is refused`() {
        let packet = [UInt8](hex: "040e0501030c00")
        #expect(throws: EventError.framing) { _ = try Event(packet.span) }
    }

    @Test(arguments: ["040e0101", "040f0200 01", "0405020001", "041000", "043e00", "043e0401000000"])
    func `the error names the event that is too short`(hex: String) {
        let packet = [UInt8](hex: hex)
        #expect(throws: EventError.truncated(code: packet[1])) { _ = try Event(packet.span) }
    }

    @Test func `any bytes are read without a trap`() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<50_000 {
            var packet = generator.bytes(Int.random(in: 0...40, using: &generator))
            if packet.count >= 3 {
                packet[0] = 4
                packet[1] = [0x05, 0x0e, 0x0f, 0x10, 0x13, 0x3e].randomElement(using: &generator) ?? 0
                packet[2] = UInt8(packet.count - 3)
            }
            do throws(EventError) { _ = try Event(packet.span) } catch {
                #expect(error != .truncated(code: 0), "seed \(seed)")
            }
        }
    }
}

@Suite struct DeviceAddressTests {
    private func text(_ address: DeviceAddress) -> String {
        var buffer = FixedBuffer<17>()
        try? buffer.append(address)
        return String(decoding: (0..<buffer.count).map { buffer[$0] }, as: UTF8.self)
    }

    @Test func `an address is written with the most significant byte first`() {
        #expect(text(DeviceAddress(value: 0xc0fe_0012_3456, isRandom: true)) == "C0:FE:00:12:34:56")
    }

    @Test func `static random addresses have both top bits set`() {
        #expect(DeviceAddress.staticRandom(seed: 0).isStaticRandom)
        #expect(DeviceAddress.staticRandom(seed: .max).isStaticRandom)
        #expect(!DeviceAddress(value: 0x4000_0000_0001, isRandom: true).isStaticRandom)
        #expect(!DeviceAddress(value: 0xc000_0000_0001, isRandom: false).isStaticRandom)
    }
}

@Suite struct BtsnoopTests {
    @Test func `the headers are those that other tools read`() throws {
        var buffer = FixedBuffer<64>()
        try Btsnoop.appendFileHeader(to: &buffer)
        let packet = [UInt8](hex: "01030c00")
        try Btsnoop.appendRecordHeader(
            for: packet.span, direction: .hostToController, wallClockNanoseconds: 1_000, to: &buffer)
        let bytes = (0..<buffer.count).map { buffer[$0] }.hex
        #expect(
            bytes == "6274736e6f6f7000" + "00000001" + "000003ea" + "00000004" + "00000004" + "00000002"
                + "00000000" + "00dcddb30f2f8001")
    }
}

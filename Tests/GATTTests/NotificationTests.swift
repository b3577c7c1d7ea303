import FixedMemory
import GATT
import TestSupport
import Testing

/// Tests of descriptors and notifications: Bluetooth Core 5.4, Vol 3, Part F, 3.4.7.1 and Part G, 3.3.3.3.
@Suite struct NotificationTests {
    @Test func `A descriptor comes behind its characteristic's value, and within its service`() throws {
        var venue = try Self.venue()
        #expect(venue.ask("04 0400 0400") == "0501" + "0400" + "0229")
        // The service's group spans the handles 1 to 4.
        #expect(venue.ask("10 0100 ffff 0028") == "1114" + "0100" + "0400" + BluetoothUUID.experiment.onAir)
    }

    @Test func `What a client writes to it goes to the delegate`() throws {
        var venue = try Self.venue()
        #expect(venue.ask("12 0400 0100") == "13")
        #expect(venue.values.writes.map(\.value) == [[1, 0]])
        #expect(venue.ask("52 0400 0100").isEmpty, "a command gets no answer")
        #expect(venue.values.writes.count == 1, "it is for writes with response only")
    }

    @Test func `A notification is its opcode, the handle and as much of the value as fits`() {
        var link = GATTLink(role: .peripheral)
        #expect(Self.notify(&link, [UInt8](0..<30), 0x0123))
        #expect(Self.packet(&link) == "1700" + "0400" + "1b2301" + [UInt8](0..<20).hex)
    }

    @Test func `While something waits to be sent, none is sent`() {
        var link = GATTLink(role: .peripheral)
        #expect(Self.notify(&link, [0x5a], 9))
        #expect(!Self.notify(&link, [0x5a], 9))
        #expect(Self.packet(&link) == "0400" + "0400" + "1b0900" + "5a")
        #expect(Self.notify(&link, [0x5a], 9))
    }

    private static func venue() throws -> Venue {
        var table = AttributeTable<24>()
        try table.addService(.experiment)
        try table.addCharacteristic(BluetoothUUID(0xff03), .notify, value: .counter)
        try table.addDescriptor(.clientConfiguration, value: .openWrite)
        return Venue(table: table)
    }

    private static func notify(_ link: inout GATTLink, _ value: [UInt8], _ handle: UInt16) -> Bool {
        link.notify(value.span, handle: handle)
    }

    private static func packet(_ link: inout GATTLink) -> String {
        var packet = FixedBuffer<255>()
        _ = link.nextFragment(maximumByteCount: 251, into: &packet)
        return packet.span.array.hex
    }
}

extension BluetoothUUID {
    fileprivate var onAir: String {
        var bytes = FixedBuffer<16>()
        try? append(to: &bytes)
        return bytes.span.array.hex
    }
}

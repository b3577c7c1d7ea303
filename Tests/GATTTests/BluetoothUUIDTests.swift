import FixedMemory
import GATT
import TestSupport
import Testing

@Suite struct BluetoothUUIDTests {
    @Test func `a short UUID equals its form over the Bluetooth base`() {
        #expect(BluetoothUUID(0xfcf6) == BluetoothUUID("0000FCF6-0000-1000-8000-00805F9B34FB"))
        #expect(BluetoothUUID("FCF6") == BluetoothUUID(0xfcf6))
        #expect(BluetoothUUID("0000FCF6-0000-1000-8000-00805F9B34FB").short == 0xfcf6)
        #expect(BluetoothUUID("0001FCF6-0000-1000-8000-00805F9B34FB").short == nil)
        #expect(BluetoothUUID.legacyHerald.short == nil)
    }

    @Test(arguments: [
        ("f6fc", BluetoothUUID.herald), ("f6fc0000", .herald),
        ("fb349b5f80000080001000 00f6fc0000", .herald),
        ("9bfd5bd672451e80d3424647af328142", .legacyHerald),
    ])
    func `a UUID is read little-endian in every width`(_ bytes: String, _ expected: BluetoothUUID) {
        #expect(BluetoothUUID([UInt8](hex: bytes).span) == expected)
    }

    @Test func `a UUID is written little-endian in the shortest width`() throws {
        var buffer = FixedBuffer<18>()
        try BluetoothUUID("0000FCF6-0000-1000-8000-00805F9B34FB").append(to: &buffer)
        try BluetoothUUID.legacyHerald.append(to: &buffer)
        #expect(buffer.span.array.hex == "f6fc9bfd5bd672451e80d3424647af328142")
        #expect(throws: CapacityError.self) { try BluetoothUUID.herald.append(to: &buffer) }
    }

    @Test(arguments: [0, 1, 3, 5, 8, 15, 17, 32])
    func `other lengths are refused`(_ byteCount: Int) {
        #expect(BluetoothUUID([UInt8](repeating: 0, count: byteCount).span) == nil)
    }
}

import GATT
import TestSupport
import Testing

@Suite struct AttributeServerReadTests {
    @Test func `constants and declarations are read`() throws {
        var venue = try Venue()
        #expect(venue.ask("0a 0300") == "0b56656e7565")
        #expect(venue.ask("0a 0500") == "0b4005")
        #expect(venue.ask("0a 0700") == "0bf6fc")
        #expect(venue.ask("0a 0200") == "0b020300002a")
    }

    @Test(arguments: [23, 24, 100, 130, 131, 517])
    func `a long value is read in blobs`(_ mtu: Int) throws {
        var venue = try Venue(mtu: mtu)
        var value = Array(venue.ask([0x0a, 9, 0]).dropFirst())
        #expect(value.count == min(129, mtu - 1))
        while value.count < 129 {
            let answer = venue.ask([0x0c, 9, 0, UInt8(value.count), 0])
            #expect(answer.first == 0x0d)
            #expect(answer.count <= mtu && answer.count > 1)
            value += answer.dropFirst()
        }
        #expect(value == venue.values.payload)
        #expect(venue.values.reads == 1)
    }

    @Test func `a blob at the end is empty, and behind the end an error`() throws {
        var venue = try Venue()
        #expect(venue.ask("0c 0900 8000") == "0d" + [venue.values.payload[128]].hex)
        #expect(venue.ask("0c 0900 8100") == "0d")
        #expect(venue.ask("0c 0900 8200") == "010c090007")
        #expect(venue.ask("0c 0900 ffff") == "010c090007")
    }

    @Test func `Blobs come from one value, and each read from the beginning requests it again`() throws {
        var venue = try Venue()
        let original = venue.values.payload
        #expect(venue.ask([0x0a, 9, 0]).dropFirst() == original[..<22])
        venue.values.payload = [UInt8](repeating: 0xee, count: 129)
        #expect(venue.ask([0x0c, 9, 0, 22, 0]).dropFirst() == original[22..<44])
        // The legacy service's payload has the same value identifier.
        #expect(venue.ask([0x0c, 14, 0, 44, 0]).dropFirst() == original[44..<66])
        #expect(venue.values.reads == 1)
        #expect(venue.ask([0x0a, 9, 0]) == [0x0b] + [UInt8](repeating: 0xee, count: 22))
        #expect(venue.ask([0x0c, 9, 0, 0, 0]) == [0x0d] + [UInt8](repeating: 0xee, count: 22))
        #expect(venue.values.reads == 3)
    }

    @Test func `a blob after the read of another value is requested from the delegate again`() throws {
        var venue = try Venue()
        #expect(venue.ask("0a 1700") == "0b01")
        #expect(venue.ask("0a 1700") == "0b02")
        _ = venue.ask("0a 0900")
        #expect(venue.ask("0c 1700 0000") == "0d04")
    }

    @Test func `a read by type returns even a value that is longer than an entry`() throws {
        var venue = try Venue(mtu: 517, payloadByteCount: 300)
        var answer = venue.ask([0x08, 9, 0, 9, 0] + [UInt8](hex: "e733898fe34321a12948058ff8c0983e"))
        #expect(answer == [0x09, 255, 9, 0] + venue.values.payload.prefix(253))
        venue = try Venue(payloadByteCount: 300)
        answer = venue.ask([0x08, 9, 0, 9, 0] + [UInt8](hex: "e733898fe34321a12948058ff8c0983e"))
        #expect(answer == [0x09, 21, 9, 0] + venue.values.payload.prefix(19))
    }

    @Test func `a read by type returns two values of the same length`() throws {
        var venue = try Venue(mtu: 517, payloadByteCount: 3)
        #expect(
            venue.ask("08 0100 ffff e733898fe34321a12948058ff8c0983e")
                == "0905 0900 00070e 0e00 00070e".packed)
    }

    @Test func `several values are read at once, up to the MTU`() throws {
        var venue = try Venue()
        #expect(venue.ask("0e 0300 0500 0300") == "0f56656e7565400556656e7565")
        let long = venue.ask([0x0e, 3, 0, 9, 0, 3, 0])
        #expect(long.count == 23)
        #expect(venue.ask("0e 0300 0b00") == "010e0b0002")
        #expect(venue.ask("0e 0300 1900") == "010e190001")
    }

    @Test(arguments: [0, 1, 21, 22, 23, 511, 512])
    func `values of every length are served`(_ byteCount: Int) throws {
        for mtu in [23, 517] {
            var venue = try Venue(mtu: mtu, payloadByteCount: byteCount)
            var value = Array(venue.ask([0x0a, 9, 0]).dropFirst())
            while value.count < byteCount {
                let offset = UInt16(value.count)
                value += venue.ask([0x0c, 9, 0, UInt8(truncatingIfNeeded: offset), UInt8(offset >> 8)])
                    .dropFirst()
            }
            #expect(value == venue.values.payload)
        }
    }
}

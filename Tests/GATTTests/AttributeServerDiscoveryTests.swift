import GATT
import TestSupport
import Testing

@Suite struct AttributeServerDiscoveryTests {
    @Test(arguments: [(23, 23), (100, 100), (517, 517), (0, 23), (22, 23), (65535, 517)])
    func `the smaller MTU is agreed, but never less than 23`(_ peers: Int, _ agreed: Int) throws {
        var venue = try Venue()
        #expect(venue.bearer.mtu.byteCount == 23)
        let answer = venue.ask([
            0x02, UInt8(truncatingIfNeeded: peers), UInt8(truncatingIfNeeded: peers >> 8),
        ])
        #expect(answer.hex == "030502")
        #expect(venue.bearer.mtu.byteCount == agreed)
    }

    @Test func `the Herald service is found under its short and its long UUID (X1)`() throws {
        var venue = try Venue()
        #expect(venue.ask("06 0100 ffff 0028 f6fc") == "0707000b00")
        #expect(venue.ask("06 0100 ffff 0028 fb349b5f8000008000100000f6fc0000") == "0707000b00")
        #expect(venue.ask("06 0100 ffff 0028 9bfd5bd672451e80d3424647af328142") == "070c001000")
    }

    @Test func `Herald's services are primary (HP-C34)`() throws {
        var venue = try Venue(mtu: 517)
        #expect(venue.ask("10 0100 ffff 0028") == "1106 01000500 0018 06000600 0118 07000b00 f6fc".packed)
        #expect(
            venue.ask("10 0c00 ffff 0028")
                == """
                1114 0c001000 9bfd5bd672451e80d3424647af328142
                11001700 00ffeeddccbbaa998877665544332211
                """.packed)
        #expect(venue.ask("10 1200 ffff 0028") == "011012000a")
        #expect(venue.ask("10 0100 ffff 0128") == "011001000a")
    }

    @Test func `a list has as many services as the MTU holds`() throws {
        var venue = try Venue()
        // The first answer has 2 bytes and 3 entries of 6 bytes, the second 2 bytes and one entry of 20.
        #expect(venue.ask("10 0100 ffff 0028").count / 2 == 20)
        #expect(venue.ask("10 0c00 ffff 0028").count / 2 == 22)
    }

    /// HP-C35 and HP-C36 for the payload; HP-C10, HP-C11, HP-C37 and HP-C38 for the signal.
    @Test func `the payload is readable, and the signal takes writes with a response only`() throws {
        var venue = try Venue(mtu: 517)
        for (service, first) in [("0700 0b00", 8), ("0c00 1000", 13)] as [(String, UInt8)] {
            let answer = [UInt8](hex: venue.ask("08 \(service) 0328"))
            #expect(answer.prefix(2) == [0x09, 21])
            let payload = Array(answer[2..<23])
            let signal = Array(answer[23..<44])
            #expect(
                payload.hex
                    == "\([first].hex)00 02 \([first + 1].hex)00 e733898fe34321a12948058ff8c0983e".packed)
            #expect(
                signal.hex
                    == "\([first + 2].hex)00 08 \([first + 3].hex)00 111a82809ae024837a432e0913b817f6".packed)
            let properties = signal[2]
            #expect(properties & 0x08 != 0)
            #expect(properties & 0x04 == 0)
        }
    }

    @Test func `characteristics are listed one by one at an MTU of 23`() throws {
        var venue = try Venue()
        #expect(venue.ask("08 0700 0b00 0328") == "0915 0800 02 0900 e733898fe34321a12948058ff8c0983e".packed)
        #expect(venue.ask("08 0900 0b00 0328") == "0915 0a00 08 0b00 111a82809ae024837a432e0913b817f6".packed)
        #expect(venue.ask("08 0b00 0b00 0328") == "01080b000a")
    }

    @Test func `a list ends where the entries become longer`() throws {
        var venue = try Venue(mtu: 517)
        #expect(
            venue.ask("08 0100 ffff 0328") == "0907 0200 02 0300 002a 0400 02 0500 012a".packed)
    }

    @Test func `information is listed in runs of one width`() throws {
        var venue = try Venue(mtu: 517)
        let run = "0501 01000028 02000328 0300002a 04000328 0500012a 06000028 07000028 08000328"
        #expect(venue.ask("04 0100 ffff") == run.packed)
        #expect(venue.ask("04 0900 ffff") == "0502 0900 e733898fe34321a12948058ff8c0983e".packed)
        var small = try Venue()
        #expect(small.ask("04 0100 ffff") == "0501 01000028 02000328 0300002a 04000328 0500012a".packed)
        #expect(small.ask("04 1800 ffff") == "010418000a")
    }

    @Test func `constants are found by value, delegated values are not`() throws {
        var venue = try Venue()
        #expect(venue.ask("06 0100 ffff 002a 56656e7565") == "0703000300")
        #expect(venue.ask("06 0100 ffff 002a 56656e75") == "010601000a")
        #expect(venue.ask("06 0100 ffff 03ff 01") == "010601000a")
        #expect(venue.values.reads == 0)
    }

    @Test func `a full table refuses as a whole`() throws {
        var table = AttributeTable<2>()
        try table.addService(.herald)
        #expect(throws: (any Error).self) {
            try table.addCharacteristic(.payload, .read, value: .payload)
        }
        #expect(table.count == 1)
    }
}

extension String {
    /// The hexadecimal digits without the spaces that make them readable.
    var packed: String { [UInt8](hex: self).hex }
}

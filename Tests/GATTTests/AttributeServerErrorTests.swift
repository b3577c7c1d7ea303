import GATT
import TestSupport
import Testing

@Suite struct AttributeServerErrorTests {
    @Test(arguments: [
        ("0a 0000", "010a000001", "handle 0"),
        ("0a 1800", "010a180001", "a handle behind the table"),
        ("0c ffff 0000", "010cffff01", "a blob of it"),
        ("12 1800 01", "0112180001", "a write to it"),
        ("16 1800 0000 01", "0116180001", "a prepared write to it"),
        ("04 0000 ffff", "0104000001", "a range from 0"),
        ("04 0500 0400", "0104050001", "a range that runs backwards"),
        ("06 0000 ffff 0028 f6fc", "0106000001", "the same for a value"),
        ("08 0000 ffff 0328", "0108000001", "the same for a type"),
        ("10 0200 0100 0028", "0110020001", "the same for a group"),
    ])
    func `an invalid handle is an error`(_ request: String, _ answer: String, _ about: Comment) throws {
        var venue = try Venue()
        #expect(venue.ask(request) == answer, about)
    }

    @Test func `a read that is not permitted is an error`() throws {
        var venue = try Venue()
        #expect(venue.ask("0a 0b00") == "010a0b0002")
        #expect(venue.ask("0c 0b00 0000") == "010c0b0002")
        #expect(venue.ask("08 0100 ffff 111a82809ae024837a432e0913b817f6") == "01080b0002")
        #expect(venue.values.reads == 0)
    }

    @Test func `a write that is not permitted is an error`() throws {
        var venue = try Venue()
        for handle in [1, 2, 3, 7, 9, 14] as [UInt8] {
            #expect(venue.ask([0x12, handle, 0, 1]).hex == "0112\([handle].hex)0003")
            #expect(venue.ask([0x16, handle, 0, 0, 0, 1]).hex == "0116\([handle].hex)0003")
        }
        #expect(venue.values.writes.isEmpty)
    }

    @Test(arguments: [
        "02", "0205", "02050201", "04", "040100", "040100ffff00", "06", "060100ffff", "060100ffff00",
        "08", "080100ffff", "080100ffff28", "080100ffff00280000", "080100ffff002800", "0a", "0a09",
        "0a090000",
        "0c0900", "0c090000", "0c0900000000", "0e", "0e0900", "0e09000b", "100100ffff", "100100ffff280000",
        "12", "120b", "16", "160b", "160b0000", "18", "1802", "180100",
    ])
    func `an invalid PDU is an error`(_ request: String) throws {
        var venue = try Venue()
        #expect(venue.ask(request) == "01\(request.prefix(2))000004")
    }

    @Test func `a prepared write that cannot be echoed within the MTU is an error`() throws {
        var venue = try Venue()
        #expect(venue.ask([0x16, 11, 0, 0, 0] + [UInt8](repeating: 1, count: 18)).count == 23)
        #expect(venue.ask([0x16, 11, 0, 0, 0] + [UInt8](repeating: 1, count: 19)).hex == "0116000004")
    }

    @Test func `an unsupported request is an error`() throws {
        var venue = try Venue()
        for opcode in [0x00, 0x14, 0x1a, 0x20, 0x22, 0x24, 0x3e, 0x80, 0xbf] as [UInt8] {
            #expect(venue.ask([opcode, 1, 0]).hex == "01\([opcode].hex)000006")
        }
    }

    @Test func `commands and confirmations are never answered`() throws {
        var venue = try Venue()
        for pdu in ["", "1e", "1e00", "d20b00010203040506070809101112", "7f", "ff", "53", "e0"] {
            #expect(venue.ask(pdu) == "")
        }
    }

    @Test func `an unsupported group type is an error`() throws {
        var venue = try Venue()
        #expect(venue.ask("10 0100 ffff 0328") == "0110010010")
        #expect(venue.ask("10 0100 ffff 9bfd5bd672451e80d3424647af328142") == "0110010010")
    }

    @Test func `an attribute that is not found is an error`() throws {
        var venue = try Venue()
        #expect(venue.ask("08 0100 ffff 0229") == "010801000a")
        #expect(venue.ask("06 0100 ffff 0028 6ffd") == "010601000a")
        #expect(venue.ask("04 1800 ffff") == "010418000a")
    }

    @Test func `the delegate's error is answered`() throws {
        var venue = try Venue()
        #expect(venue.ask("0a 1500") == "010a150011")
        #expect(venue.ask("08 0100 ffff 02ff") == "0108150011")
        // The server does not cache a failure.
        #expect(venue.ask("0a 1500") == "010a150011")
        #expect(venue.values.reads == 3)
    }
}

import GATT
import TestSupport
import Testing

@Suite struct AttributeServerWriteTests {
    @Test func `a write is delivered with its link`() throws {
        var venue = try Venue()
        #expect(venue.ask("12 0b00 02c8ff") == "13")
        #expect(venue.ask("12 1000") == "13")
        #expect(
            venue.values.writes == [
                .init(identifier: 2, link: 3, value: [0x02, 0xc8, 0xff], kind: .request),
                .init(identifier: 2, link: 3, value: [], kind: .request),
            ])
    }

    @Test func `a write command to the signal is ignored (HP-C11)`() throws {
        var venue = try Venue()
        #expect(venue.ask("52 0b00 02c8ff") == "")
        #expect(venue.ask("52 0000 02") == "")
        #expect(venue.ask("52 0b") == "")
        #expect(venue.values.writes.isEmpty)
        #expect(venue.ask("52 1300 02c8ff") == "")
        #expect(venue.values.writes.map(\.kind) == [.command])
    }

    @Test func `the delegate's error is answered`() throws {
        var venue = try Venue()
        venue.values.writeError = .invalidAttributeValueLength
        #expect(venue.ask("12 0b00 02c8") == "01120b000d")
        #expect(venue.ask("52 1300 02c8") == "")
        #expect(venue.ask("16 0b00 0000 01") == "170b00000001")
        #expect(venue.ask("18 01") == "01180b000d")
        // The failed Execute Write has emptied the queue.
        venue.values.writeError = nil
        #expect(venue.ask("18 01") == "19")
        #expect(venue.values.writes.isEmpty)
    }

    @Test func `a request longer than any value is refused`() throws {
        var venue = try Venue(mtu: 517)
        let value = [UInt8](repeating: 7, count: 512)
        #expect(venue.ask([0x12, 11, 0] + value).hex == "13")
        #expect(venue.ask([0x12, 11, 0] + value + [7]).hex == "01120b000d")
    }

    @Test(arguments: [23, 517])
    func `prepared writes arrive as one`(_ mtu: Int) throws {
        var venue = try Venue(mtu: mtu)
        let value = (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 3) }
        var offset = 0
        while offset < value.count {
            let part = Array(value[offset..<min(512, offset + mtu - 5)])
            let request = [0x16, 11, 0, UInt8(truncatingIfNeeded: offset), UInt8(offset >> 8)] + part
            #expect(venue.ask(request) == [0x17] + request.dropFirst())
            offset += part.count
        }
        #expect(venue.values.writes.isEmpty)
        #expect(venue.ask("18 01") == "19")
        #expect(venue.values.writes == [.init(identifier: 2, link: 3, value: value, kind: .prepared)])
        #expect(venue.ask("18 01") == "19")
        #expect(venue.values.writes.count == 1)
    }

    @Test func `a later part may overwrite an earlier one`() throws {
        var venue = try Venue()
        _ = venue.ask("16 0b00 0000 01020304")
        _ = venue.ask("16 0b00 0200 aabbcc")
        _ = venue.ask("16 0b00 0000 ee")
        #expect(venue.ask("18 01") == "19")
        #expect(venue.values.writes.first?.value.hex == "ee02aabbcc")
    }

    @Test func `a gap between parts is refused at the end`() throws {
        var venue = try Venue()
        #expect(venue.ask("16 0b00 0000 0102") == "170b0000000102")
        #expect(venue.ask("16 0b00 0300 04") == "170b00030004")
        #expect(venue.ask("16 0b00 0200 03") == "170b00020003")
        #expect(venue.ask("18 01") == "01180b0007")
        #expect(venue.ask("16 0b00 0100 04") == "170b00010004")
        #expect(venue.ask("18 01") == "01180b0007")
        #expect(venue.values.writes.isEmpty)
    }

    @Test func `the queue holds one value`() throws {
        var venue = try Venue(mtu: 517)
        let most = [UInt8](repeating: 1, count: 512)
        #expect(venue.ask([0x16, 11, 0, 0, 0] + most).first == 0x17)
        #expect(venue.ask("16 0b00 0002 01") == "01160b0009")
        #expect(venue.ask("16 1300 0000 01") == "0116130009")
        #expect(venue.ask("18 01") == "19")
        #expect(venue.values.writes.map(\.value) == [most])
        #expect(venue.ask("16 1300 0000 01") == "171300000001")
    }

    @Test func `a cancelled write is forgotten`() throws {
        var venue = try Venue()
        _ = venue.ask("16 0b00 0000 0102")
        #expect(venue.ask("18 00") == "19")
        #expect(venue.ask("18 01") == "19")
        #expect(venue.values.writes.isEmpty)
    }
}

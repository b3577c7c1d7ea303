import Captures
import Testing

@Suite struct PacketLoggerTests {
    private static let command = "030c00"
    private static let event = "0e0401030c00"

    private func capture(_ order: TestCapture.Order) -> TestCapture {
        var capture = TestCapture(order: order)
        capture.addLogged(0, Self.command)
        capture.addLogged(1, Self.event, microseconds: 250_000)
        capture.addLogged(2, "400001000a")
        capture.addLogged(3, "402001000b")
        capture.addLogged(8, "4000010c")
        capture.addLogged(9, "4000010d")
        return capture
    }

    private let packets: [Converted.Packet] = [
        .init(hex: "01030c00", isReceived: false),
        .init(hex: "040e0401030c00", isReceived: true, microseconds: 1_000_250_000),
        .init(hex: "02400001000a", isReceived: false), .init(hex: "02402001000b", isReceived: true),
        .init(hex: "034000010c", isReceived: false), .init(hex: "034000010d", isReceived: true),
    ]

    @Test(arguments: [TestCapture.Order.big, .little])
    func `commands, events and data of both directions are converted in either byte order`(
        _ order: TestCapture.Order
    ) throws {
        let converted = try Converted(capture(order).bytes)
        #expect(converted.packets == packets)
        #expect(converted.datalink == 1002)
        #expect(converted.error == nil && !converted.summary.isCut && converted.summary.skippedCount == 0)
    }

    @Test func `notes and records without a type are skipped and counted`() throws {
        var capture = capture(.little)
        capture.addLogged(0xfc, "48656c6c6f")
        capture.addLogged(0xfb, "")
        for number: UInt32 in [8, 1_000, 0] { capture.add(number) }
        capture.addLogged(0, Self.command)
        let converted = try Converted(capture.bytes)
        #expect(converted.packets == packets + [packets[0]])
        #expect(converted.summary.skippedCount == 3)
    }

    @Test func `the pieces in which a file arrives make no difference`() throws {
        let file = capture(.big).bytes
        let whole = try Converted(file)
        for pieceByteCount in 1...40 { #expect(try Converted(file, pieceByteCount: pieceByteCount) == whole) }
    }

    @Test func `a file cut anywhere gives all whole records, and the bytes that were not converted`() throws {
        let file = capture(.little).bytes
        for count in 16..<file.count {
            let converted = try Converted(Array(file.prefix(count)))
            let ends = [16, 35, 53, 71, 88, file.count]
            #expect(converted.packets == Array(packets.prefix(ends.count { $0 <= count })))
            let last = ends.last { $0 <= count } ?? 0
            #expect(converted.summary.cutByteCount == count - last)
            #expect(converted.summary.isCut == (count != last) && converted.error == nil)
        }
    }

    @Test func `a record that is longer than its packet is damaged, and what is before it is converted`()
        throws
    {
        var capture = capture(.little)
        let offset = UInt64(capture.bytes.count)
        for number: UInt32 in [60_000, 1_000, 0] { capture.add(number) }
        capture.add(hex: "01" + Self.event)
        capture.bytes += self.capture(.little).bytes
        let converted = try Converted(capture.bytes)
        #expect(converted.packets == packets)
        #expect(converted.error == .damaged(.longRecord(60_000), offset: offset))
    }

    @Test func `a record that is shorter than its header is damaged`() throws {
        var capture = capture(.big)
        let offset = UInt64(capture.bytes.count)
        capture.add(UInt32(7))
        let converted = try Converted(capture.bytes)
        #expect(converted.packets == packets)
        #expect(converted.error == .damaged(.impossibleLength(7), offset: offset))
    }
}

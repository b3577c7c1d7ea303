import Captures
import TestSupport
import Testing

@Suite struct PcapTests {
    private static let event = "040e0401030c00"

    @Test(arguments: [TestCapture.Order.big, .little], [0xa1b2_c3d4, 0xa1b2_3c4d] as [UInt32])
    func `a direction before each packet is kept, in either byte order and unit of time`(
        _ order: TestCapture.Order, _ magic: UInt32
    ) throws {
        var capture = TestCapture.pcap(201, magic: magic, order)
        let fraction: UInt32 = magic == 0xa1b2_c3d4 ? 250_001 : 250_001_999
        capture.addPacket("00000000" + "01030c00", fraction: fraction)
        capture.addPacket("00000001" + Self.event)
        capture.addPacket("00000001" + "0240200100", original: 30)
        let converted = try Converted(capture.bytes)
        #expect(
            converted.packets == [
                .init(hex: "01030c00", isReceived: false, microseconds: 1_000_250_001),
                .init(hex: Self.event, isReceived: true),
                .init(hex: "0240200100", isReceived: true, isCut: true),
            ])
        #expect(converted.datalink == 1002 && converted.error == nil)
        // The original length does not count the four bytes of the direction.
        #expect(converted.file[16 + 28 + 31..<16 + 28 + 35] == [0, 0, 0, 26])
    }

    @Test func `without directions, the kind of a packet and the boundary flag of data give them`() throws {
        var capture = TestCapture.pcap(187)
        let packets: [(hex: String, isReceived: Bool)] = [
            ("01030c00", false), (Self.event, true),
            // Beginnings of frames from the host and from the controller, and continuations of both.
            ("024000010001", false), ("024010010002", false), ("024020010003", true), ("024010010004", true),
            // A continuation without a beginning, on another connection.
            ("024110010005", true), ("03400001aa", true), ("ff", true), ("", true),
        ]
        for packet in packets { capture.addPacket(packet.hex) }
        let converted = try Converted(capture.bytes)
        #expect(converted.packets == packets.map { .init(hex: $0.hex, isReceived: $0.isReceived) })
    }

    @Test func `the Linux monitor's adapters and codes are kept`() throws {
        var capture = TestCapture.pcap(254, .big)
        capture.addPacket("0001" + "0002" + "030c00")
        capture.addPacket("0003" + "0003" + "0e0401030c00")
        capture.addPacket("ffff" + "000c" + "4c696e7578")
        let converted = try Converted(capture.bytes)
        #expect(converted.datalink == 2001)
        #expect(
            converted.packets == [
                .init(hex: "01030c00", isReceived: false, adapter: 1),
                .init(hex: Self.event, isReceived: true, adapter: 3),
                .init(hex: "4c696e7578", isReceived: false, adapter: 0xffff),
            ])
    }

    @Test func `a file cut anywhere gives all whole records`() throws {
        var capture = TestCapture.pcap(187)
        capture.addPacket(Self.event)
        let first = capture.bytes.count
        capture.addPacket(Self.event)
        for count in 24...capture.bytes.count {
            let converted = try Converted(Array(capture.bytes.prefix(count)))
            #expect(converted.packets.count == (count < first ? 0 : count < capture.bytes.count ? 1 : 2))
            #expect(converted.error == nil)
            #expect(converted.summary.isCut == ![24, first, capture.bytes.count].contains(count))
        }
    }

    @Test(arguments: [66_001, .max, 80, 7] as [UInt32])
    func `each wrong length of a record is damage, and what is before it is converted`(_ length: UInt32)
        throws
    {
        var capture = TestCapture.pcap(201)
        capture.addPacket("00000001" + Self.event)
        let offset = capture.bytes.count
        capture.addPacket("00000001" + Self.event)
        capture.addPacket("00000001" + Self.event)
        let wrong = length == 7 ? 3 : length
        for index in 0..<4 {
            capture.bytes[offset + 8 + index] = UInt8(truncatingIfNeeded: wrong >> (8 * index))
        }
        let converted = try Converted(capture.bytes)
        #expect(converted.packets.count == 1)
        let damage = wrong == 3 ? CaptureError.Damage.impossibleLength(3) : .longRecord(wrong)
        #expect(converted.error == .damaged(damage, offset: UInt64(offset)))
    }

    @Test(arguments: [251, 256, 272, 220, 1, 0x0fff_ffff] as [UInt32])
    func `another link type is refused with its number`(_ type: UInt32) throws {
        var capture = TestCapture.pcap(type)
        capture.addPacket("0011")
        #expect(try Converted(capture.bytes).error == .linkType(type & 0x03ff_ffff))
    }

    @Test func `a capture with the upper bits of its link type set is read`() throws {
        var capture = TestCapture.pcap(187 | 0xf000_0000)
        capture.addPacket(Self.event)
        #expect(try Converted(capture.bytes).packets.count == 1)
    }

    /// `tabard replay` refuses it, too: without a packet only the record has a length.
    @Test func `a long record of the Linux monitor without a packet is damaged`() throws {
        var capture = TestCapture.pcap(254)
        let offset = UInt64(capture.bytes.count)
        capture.addPacket("0000000c" + String(repeating: "41", count: 2_049))
        let converted = try Converted(capture.bytes)
        #expect(converted.error == .damaged(.longRecord(2_053), offset: offset))
        capture = TestCapture.pcap(254)
        capture.addPacket("0000000c" + String(repeating: "41", count: 2_048))
        #expect(try Converted(capture.bytes).error == nil)
    }
}

import Captures
import TestSupport
import Testing

@Suite struct PcapngTests {
    private static let event = "040e0401030c00"
    private static let received = "00000001" + event

    @Test func `interfaces with HCI packets are adapters, in the order of their description`() throws {
        var capture = TestCapture.pcapng(.big)
        capture.addInterface(1)
        capture.addInterface(201)
        capture.addInterface(187)
        capture.addPacket(Self.received, interface: 1, units: 1_000_000_001)
        capture.addPacket("01030c00", interface: 2, units: 1_000_000_002)
        capture.addPacket("0011223344", interface: 0, units: 1_000_000_003)
        let converted = try Converted(capture.bytes)
        #expect(converted.datalink == 2001 && converted.error == nil && converted.summary.skippedCount == 1)
        #expect(
            converted.packets == [
                .init(hex: Self.event, isReceived: true, microseconds: 1_000_000_001),
                .init(hex: "01030c00", isReceived: false, microseconds: 1_000_000_002, adapter: 1),
            ])
    }

    @Test func `every kind of packet has a code of the Linux monitor`() throws {
        var capture = TestCapture.pcapng()
        capture.addInterface(201)
        let packets: [(hex: String, isReceived: Bool)] = [
            ("01030c00", false), (Self.event, true), ("024000010001", false), ("024020010001", true),
            ("0340000101", false), ("0340000101", true), ("054000010001", false), ("054020010001", true),
        ]
        for packet in packets {
            capture.addPacket(
                (packet.isReceived ? "00000001" : "00000000") + packet.hex, units: 1_000_000_000)
        }
        capture.addPacket("00000001" + "ff00", units: 1_000_000_000)
        let converted = try Converted(capture.bytes)
        #expect(converted.packets == packets.map { .init(hex: $0.hex, isReceived: $0.isReceived) })
        #expect(converted.summary.skippedCount == 1)
    }

    @Test func `beside the Linux monitor, which shows all adapters, other interfaces are skipped`() throws {
        var capture = TestCapture.pcapng()
        capture.addInterface(201)
        capture.addInterface(254)
        capture.addPacket(Self.received, interface: 0, units: 1_000_000_000)
        capture.addPacket("00020003" + "0e0401030c00", interface: 1, units: 1_000_000_000)
        let converted = try Converted(capture.bytes)
        #expect(converted.packets == [.init(hex: Self.event, isReceived: true, adapter: 2)])
        #expect(converted.summary.skippedCount == 1)
    }

    /// Resolution, offset in seconds, units, microseconds since 1970.
    private static let clocks: [(UInt8?, Int64?, UInt64, UInt64)] = [
        (nil, nil, 1_000_000_001, 1_000_000_001), (6, nil, 1_000_000_001, 1_000_000_001),
        (9, nil, 1_000_000_001_999, 1_000_000_001), (0, nil, 1_000, 1_000_000_000),
        (3, 500, 1_500, 501_500_000), (6, -1, 3_000_000, 2_000_000), (6, -10, 3_000_000, 0),
        (0x80, nil, 7, 7_000_000), (0x8a, nil, 1_536, 1_500_000), (0x94, nil, 1 << 20, 1_000_000),
        (0xc0, nil, 1 << 63, 500_000), (0xff, nil, .max, 0), (19, nil, .max, 1_844_674), (127, nil, .max, 0),
        (0, nil, .max, 9_161_203_636_854_775_807), (6, .max, 0, 9_161_203_636_854_775_807), (6, .min, 0, 0),
    ]

    @Test(arguments: clocks)
    func `resolution and offset of an interface's clock count`(
        _ resolution: UInt8?, _ offset: Int64?, _ units: UInt64, _ microseconds: UInt64
    ) throws {
        var capture = TestCapture.pcapng()
        capture.addInterface(201, resolution: resolution, offset: offset)
        capture.addPacket(Self.received, units: units)
        let latest = UInt64(Int64.max) - 0x00dc_ddb3_0f2f_8000
        let expected = microseconds == 9_161_203_636_854_775_807 ? latest : microseconds
        #expect(
            try Converted(capture.bytes).packets
                == [.init(hex: Self.event, isReceived: true, microseconds: expected)])
    }

    @Test func `simple and obsolete packet blocks are read`() throws {
        var capture = TestCapture.pcapng(.big)
        capture.addInterface(201, snapLength: 9)
        capture.addBlock(2) {
            $0.add(UInt16(0))
            $0.add(UInt16(0))
            $0.add(UInt64(1_000_000_000))
            $0.add(UInt32(11))
            $0.add(UInt32(11))
            $0.add(hex: Self.received)
        }
        // The block has no time, and the snap length has left nine bytes of eleven.
        capture.addBlock(3) {
            $0.add(UInt32(11))
            $0.add(hex: "00000001040e040103")
        }
        let converted = try Converted(capture.bytes)
        #expect(
            converted.packets == [
                .init(hex: Self.event, isReceived: true),
                .init(hex: "040e040103", isReceived: true, isCut: true),
            ])
        #expect(converted.summary.untimedCount == 1)
    }

    @Test func `each section has a byte order and interfaces of its own, and unknown blocks are skipped`()
        throws
    {
        var capture = TestCapture.pcapng(.little)
        capture.addInterface(187)
        capture.addPacket(Self.event, units: 1_000_000_000)
        capture.addBlock(5) { $0.add(UInt64(0)) }
        capture.addBlock(0x0000_0bad) { $0.bytes = [UInt8](repeating: 1, count: 2 << 20) }
        capture.addSection(.big)
        capture.addInterface(201)
        capture.addPacket(Self.received, units: 1_000_000_000)
        for pieceByteCount in [1 << 20, 1_000] {
            let converted = try Converted(capture.bytes, pieceByteCount: pieceByteCount)
            #expect(converted.packets.count == 2 && converted.error == nil)
            #expect(converted.packets.allSatisfy { $0.hex == Self.event && $0.isReceived })
        }
    }

    @Test func `a file cut anywhere gives all whole records`() throws {
        var capture = TestCapture.pcapng()
        capture.addInterface(201)
        capture.addPacket(Self.received, units: 1_000_000_000)
        let first = capture.bytes.count
        capture.addPacket(Self.received, units: 1_000_000_000)
        for count in 28...capture.bytes.count {
            let converted = try Converted(Array(capture.bytes.prefix(count)))
            #expect(converted.packets.count == (count < first ? 0 : count < capture.bytes.count ? 1 : 2))
            #expect(converted.error == nil)
        }
    }

    /// Offset in the last block, number at that place, and the damage.
    private static let damages: [(Int, UInt32, CaptureError.Damage)] = [
        (4, 11, .impossibleLength(11)), (4, 45, .impossibleLength(45)), (4, 2 << 20, .longRecord(2 << 20)),
        (8, 1, .unknownInterface(1)), (8, .max, .unknownInterface(.max)), (20, 13, .longRecord(13)),
        (20, .max, .longRecord(.max)), (20, 3, .impossibleLength(3)), (40, 40, .unequalLengths(44, 40)),
    ]

    @Test(arguments: damages)
    func `each wrong number in a packet's block is damage, and what is before it is converted`(
        _ offset: Int, _ number: UInt32, _ damage: CaptureError.Damage
    ) throws {
        var capture = TestCapture.pcapng()
        capture.addInterface(201)
        capture.addPacket(Self.received, units: 1_000_000_000)
        let place = capture.bytes.count
        capture.addPacket(Self.received, units: 1_000_000_000)
        for index in 0..<4 {
            capture.bytes[place + offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
        }
        let converted = try Converted(capture.bytes)
        #expect(converted.packets.count == 1)
        #expect(converted.error == .damaged(damage, offset: UInt64(place)))
    }

    @Test func `a section without a byte order is damage`() throws {
        var capture = TestCapture.pcapng()
        capture.bytes[8] = 0
        #expect(try Converted(capture.bytes).error == .damaged(.byteOrder(0x003c_2b1a), offset: 0))
    }

    @Test func `a capture of the air is refused with its link type`() throws {
        var capture = TestCapture.pcapng()
        capture.addInterface(256)
        capture.addPacket("0011223344", units: 0)
        let converted = try Converted(capture.bytes)
        #expect(converted.error == .linkType(256) && converted.file.isEmpty)
    }
}

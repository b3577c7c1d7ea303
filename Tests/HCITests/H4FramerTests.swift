import FixedMemory
import HCI
import TestSupport
import Testing

@Suite struct H4FramerTests {
    /// A Command Complete, an ACL packet, an empty vendor event and an advertising report.
    static let packets: [[UInt8]] = [
        [UInt8](hex: "040e0401030c00"),
        [UInt8](hex: "0240200700030004000a0500"),
        [UInt8](hex: "04ff00"),
        [UInt8](hex: "043e0f02010001665544332211030201 06c8"),
    ]
    static let stream = packets.flatMap { $0 }

    /// Returns every packet that the framer finds when the stream arrives in these pieces.
    private func frames(
        of pieces: [ArraySlice<UInt8>], keepsBorders: Bool = false
    ) throws -> (packets: [[UInt8]], skipped: UInt64) {
        var framer = try H4Framer(keepsBorders: keepsBorders)
        var found: [[UInt8]] = []
        for piece in pieces {
            _ = framer.fill { room in
                room.copyBytes(from: piece)
                return piece.count
            }
            while let range = framer.next() {
                let packet = framer.packet(at: range)
                found.append(packet.indices.map { packet[$0] })
            }
        }
        return (found, framer.skippedByteCount)
    }

    @Test func `packets are found in a stream that is split anywhere`() throws {
        for split in 0...Self.stream.count {
            let found = try frames(of: [Self.stream[..<split], Self.stream[split...]])
            #expect(found.packets == Self.packets, "split at \(split)")
            #expect(found.skipped == 0)
        }
    }

    @Test func `packets are found if they arrive byte by byte`() throws {
        let found = try frames(of: Self.stream.indices.map { Self.stream[$0...$0] })
        #expect(found.packets == Self.packets)
    }

    @Test func `packets are found in one merged read`() throws {
        #expect(try frames(of: [Self.stream[...]]).packets == Self.packets)
    }

    @Test func `the framer resynchronises after lost bytes`() throws {
        // The first event lacks its middle bytes; the packets after it must come through.
        let damaged = [UInt8](hex: "0400030c00 07 99") + Self.packets[3] + Self.packets[0]
        let found = try frames(of: [damaged[...]])
        #expect(found.packets.suffix(2) == [Self.packets[3], Self.packets[0]])
        #expect(found.skipped > 0)
    }

    @Test func `the framer does not wait for an implausibly long packet`() throws {
        let damaged = [UInt8](hex: "024020ffff") + Self.packets[0]
        #expect(try frames(of: [damaged[...]]).packets == [Self.packets[0]])
    }

    /// Packets of kinds that the agent has no use for, with bytes in them that look like a Hardware Error:
    /// synchronous and isochronous data, and Broadcom's diagnostics.
    private static let foreign: [[UInt8]] = [
        [UInt8](hex: "03000004 04100142"), [UInt8](hex: "0500000400 04100142"),
        [UInt8](hex: "07 04100142") + [UInt8](repeating: 0, count: 59), [0x00],
    ]

    @Test(arguments: foreign.indices)
    func `a packet of another kind is passed over by its length`(_ index: Int) throws {
        let stream = Self.packets[0] + Self.foreign[index] + Self.packets[3]
        for split in 0...stream.count {
            let found = try frames(of: [stream[..<split], stream[split...]])
            #expect(found.packets == [Self.packets[0], Self.packets[3]], "split at \(split)")
            #expect(found.skipped == 0)
        }
    }

    @Test func `where reads have borders, one of another kind is passed over whole`() throws {
        for foreign in Self.foreign + [[UInt8](hex: "09 04100142"), [UInt8](hex: "03000005 04100142 00")] {
            #expect(try frames(of: [foreign[...]], keepsBorders: true).packets.isEmpty)
        }
    }

    @Test func `bytes that merely look like a packet of another kind do not hide the next packet`() throws {
        let stream = Self.packets[0] + [0x03, 0x00, 0x00, 0x09] + Self.packets[3] + Self.packets[0]
        #expect(try frames(of: [stream[...]]).packets.suffix(2) == [Self.packets[3], Self.packets[0]])
    }

    @Test func `any bytes are read without a trap`() throws {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            let noise = generator.bytes(Int.random(in: 0...600, using: &generator))
            let found = try frames(of: [noise[...]])
            #expect(found.packets.reduce(0) { $0 + $1.count } <= noise.count, "seed \(seed)")
        }
    }
}

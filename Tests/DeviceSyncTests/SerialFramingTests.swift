import DeviceSync
import FixedMemory
import TestSupport
import Testing

@Suite struct SerialFramingTests {
    @Test func `frames of every length are decoded from the line`() throws {
        var generator = SeededGenerator(seed: 2)
        for count in 0...400 {
            let frame = generator.bytes(count)
            let encoded = try line(frame)
            #expect(frames(in: encoded) == [frame])
            #expect(encoded.count == SerialFrameEncoder.encodedByteCount(frameByteCount: count))
        }
    }

    @Test func `every byte value is transmitted`() throws {
        let frame = (0...255).map { UInt8($0) }
        #expect(frames(in: try line(frame)) == [frame])
    }

    @Test func `no line is longer than 127 bytes, and each starts with its delimiter`() throws {
        let encoded = try line([UInt8](repeating: 0xA5, count: 1000))
        let lines = encoded.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
        #expect(lines.allSatisfy { $0.count + 1 <= 127 })
        #expect(lines.first.map { Array($0.prefix(2)) } == [6, 9])
        #expect(lines.dropFirst().allSatisfy { Array($0.prefix(2)) == [4, 20] })
    }

    @Test func `frames are found wherever the stream is cut`() throws {
        let frame = (0..<200).map { UInt8($0) }
        let encoded = try line(frame)
        for cut in 0...encoded.count {
            var decoder = SerialFrameDecoder<2050>()
            var found: [[UInt8]] = []
            for part in [Array(encoded[..<cut]), Array(encoded[cut...])] {
                var position = 0
                while decoder.receive(part.span, position: &position) { found.append(array(decoder.frame)) }
            }
            #expect(found == [frame], "cut at \(cut)")
        }
    }

    @Test func `all of several adjoining frames are found`() throws {
        let all = (1...20).map { [UInt8](repeating: UInt8($0), count: 10 * $0) }
        #expect(frames(in: try all.flatMap { try line($0) }) == all)
    }

    @Test func `console text around and between lines is skipped`() throws {
        let frame = [UInt8](repeating: 9, count: 200)
        let lines = try line(frame).split(separator: 0x0A).map { Array($0) + [0x0A] }
        let noise = Array("booting...\r\n[INF] \u{6}\u{4} up\n".utf8)
        let withNoise: [UInt8] = noise + lines.flatMap { $0 + noise }
        #expect(frames(in: withNoise) == [frame])
        // Console text may lack a line end before a delimiter, and lines may end with a carriage return and a
        // line feed.
        let withReturns: [UInt8] = lines.flatMap { Array("prompt> ".utf8) + $0.dropLast() + [0x0D, 0x0A] }
        #expect(frames(in: withReturns) == [frame])
    }

    @Test func `a wrong checksum is counted and the next frame is found`() throws {
        let good = try line([1, 2, 3])
        // The frame has the length 5, "abc", and a wrong checksum.
        let bad = Array("\u{6}\u{9}AAVhYmMAAA==\n".utf8)
        var decoder = SerialFrameDecoder<2050>()
        var position = 0
        let found = decoder.receive((bad + good).span, position: &position)
        #expect(found)
        let frame = array(decoder.frame)
        let counters = decoder.counters
        #expect(frame == [1, 2, 3])
        #expect(counters.checksumErrors == 1)
        #expect(counters.frames == 1)
    }

    @Test(arguments: [
        "\u{6}\u{9}AAVhYm!MAAA==\n", "\u{6}\u{9}AAV\n", "\u{6}\u{9}A===\n", "\u{6}\u{9}AA=A\n",
        "\u{6}\u{9}AAAA\n", "\u{6}\u{9}AAFh\n", "\u{6}\u{9}AAVhYmMAAAAA\n", "\u{6}\u{9}AAVh",
    ]) func `malformed lines are counted and the next frame is found`(bad: String) throws {
        let good = try line([1, 2, 3])
        var decoder = SerialFrameDecoder<2050>()
        var position = 0
        let found = decoder.receive((Array(bad.utf8) + good).span, position: &position)
        #expect(found)
        let frame = array(decoder.frame)
        let malformed = decoder.counters.malformed
        #expect(frame == [1, 2, 3])
        #expect(malformed == 1)
    }

    @Test func `a frame longer than the buffer is counted and the next is found`() throws {
        var decoder = SerialFrameDecoder<66>()
        let bytes = try line([UInt8](repeating: 1, count: 65)) + line([UInt8](repeating: 2, count: 64))
        var position = 0
        let found = decoder.receive(bytes.span, position: &position)
        #expect(found)
        let frame = array(decoder.frame)
        let tooLong = decoder.counters.tooLong
        #expect(frame == [UInt8](repeating: 2, count: 64))
        #expect(tooLong == 1)
    }

    @Test func `a new frame in the middle of another is found`() throws {
        let long = try line([UInt8](repeating: 1, count: 300))
        let good = try line([7, 8])
        for cut in 1..<long.count {
            #expect(frames(in: Array(long[..<cut]) + good).last == [7, 8], "cut at \(cut)")
        }
    }

    @Test func `a stray continuation is skipped`() throws {
        #expect(frames(in: Array("\u{4}\u{14}AAAA\n".utf8) + (try line([5]))) == [[5]])
    }

    @Test func `mutated frames never trap and never decode to another frame`() throws {
        let seed: UInt64 = 20_261_121
        var generator = SeededGenerator(seed: seed)
        let frame = generator.bytes(180)
        let encoded = try line(frame)
        for _ in 0..<5000 {
            var bytes = encoded
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[at] = .random(in: .min ... .max, using: &generator)
                case 1: bytes.remove(at: at)
                default: bytes.insert(.random(in: .min ... .max, using: &generator), at: at)
                }
            }
            // A 16-bit checksum lets one damaged frame in 65,536 pass; none does with this seed.
            #expect(frames(in: bytes).allSatisfy { $0 == frame }, "seed \(seed)")
        }
    }

    @Test func `random bytes never trap`() {
        let seed: UInt64 = 3
        var generator = SeededGenerator(seed: seed)
        var decoder = SerialFrameDecoder<70>()
        let likely: [UInt8] = [6, 9, 4, 20, 10, 13, 61, 65, 66]
        for _ in 0..<200_000 {
            let byte =
                Bool.random(using: &generator)
                ? likely[Int.random(in: 0..<likely.count, using: &generator)]
                : UInt8.random(in: .min ... .max, using: &generator)
            if decoder.receive(byte) {
                let count = decoder.frame.count
                #expect(count <= 68, "seed \(seed)")
            }
        }
    }

    @Test func `a sink that is too small gets nothing`() {
        var buffer = FixedBuffer<12>()
        #expect(throws: CapacityError.self) {
            try SerialFrameEncoder.encode([1, 2, 3, 4].span, into: &buffer)
        }
        #expect(buffer.isEmpty)
    }
}

import Testing

@testable import Parquet

@Suite struct HybridEncodingTests {
    private func encoded(_ values: [UInt32], bitWidth: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        HybridEncoding.append(values.span, bitWidth: bitWidth, to: &bytes)
        return bytes
    }

    /// The example of the specification: 10001000 11000110 11111010.
    @Test func `values are packed from the least significant bit`() {
        var bytes: [UInt8] = []
        HybridEncoding.appendPacked([0, 1, 2, 3, 4, 5, 6, 7].span as Span<UInt8>, bitWidth: 3, to: &bytes)
        #expect(bytes == [0b1000_1000, 0b1100_0110, 0b1111_1010])
        #expect(encoded([0, 1, 2, 3, 4, 5, 6, 7], bitWidth: 3) == [1 << 1 | 1, 0x88, 0xc6, 0xfa])
    }

    @Test func `booleans fill the last byte with zeros`() {
        var bytes: [UInt8] = []
        HybridEncoding.appendPacked(
            [1, 0, 1, 1, 0, 0, 0, 0, 1, 1].span as Span<UInt8>, bitWidth: 1, to: &bytes)
        #expect(bytes == [0b0000_1101, 0b0000_0011])
    }

    @Test func `eight equal values are a run, seven are packed`() {
        #expect(encoded(Array(repeating: 1, count: 8), bitWidth: 1) == [8 << 1, 1])
        #expect(encoded(Array(repeating: 1, count: 7), bitWidth: 1) == [1 << 1 | 1, 0b0111_1111])
        #expect(encoded(Array(repeating: 4, count: 100), bitWidth: 3) == [0xc8, 0x01, 4])
        #expect(encoded([], bitWidth: 1).isEmpty)
    }

    @Test func `a repeated value has as many bytes as its width needs`() {
        #expect(encoded(Array(repeating: 0x1_02, count: 8), bitWidth: 9) == [16, 0x02, 0x01])
        #expect(encoded(Array(repeating: 0x1_02, count: 8), bitWidth: 17) == [16, 0x02, 0x01, 0x00])
    }

    @Test func `a run fills the group of packed values before it`() {
        // 3 values wait, so 5 of the 14 equal ones complete their group, and 9 remain.
        let values: [UInt32] = [0, 1, 0] + Array(repeating: 1, count: 14)
        #expect(encoded(values, bitWidth: 1) == [1 << 1 | 1, 0b1111_1010, 9 << 1, 1])
        // Only 7 would remain, so all of them are packed.
        #expect(
            encoded([0, 1, 0] + Array(repeating: 1, count: 12), bitWidth: 1)
                == [2 << 1 | 1, 0b1111_1010, 0b0111_1111])
    }

    @Test func `packed values after a run are padded to a group`() {
        let values: [UInt32] = Array(repeating: 2, count: 8) + [1, 3]
        #expect(encoded(values, bitWidth: 2) == [16, 2, 1 << 1 | 1, 0b0000_1101, 0])
    }

    @Test func `the width holds the greatest value, and is never zero`() {
        #expect(
            [0, 1, 2, 3, 4, 5, 256, 257].map(HybridEncoding.bitWidth(below:)) == [1, 1, 1, 2, 2, 3, 8, 9])
    }

    @Test(arguments: 1...20) func `what is encoded decodes to the same`(_ bitWidth: Int) {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var values: [UInt32] = []
            for _ in 0..<Int.random(in: 0..<40, using: &generator) {
                let value = UInt32.random(in: 0..<(1 << bitWidth), using: &generator)
                values += Array(repeating: value, count: Int.random(in: 1..<20, using: &generator))
            }
            #expect(decoded(encoded(values, bitWidth: bitWidth), bitWidth, count: values.count) == values)
        }
    }

    /// Reads runs bit by bit, as the grammar of the specification says.
    private func decoded(_ bytes: [UInt8], _ bitWidth: Int, count: Int) -> [UInt32] {
        var values: [UInt32] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            var header = Int(first & 0x7f)
            var byte = first
            var shift = 7
            while byte >= 0x80, let next = rest.popFirst() {
                byte = next
                header |= Int(next & 0x7f) << shift
                shift += 7
            }
            if header & 1 == 0 {
                let size = (bitWidth + 7) / 8
                let value = rest.prefix(size).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                rest = rest.dropFirst(size)
                values += Array(repeating: value, count: header >> 1)
            } else {
                let size = (header >> 1) * bitWidth
                let bits = rest.prefix(size).flatMap { byte in (0..<8).map { UInt32(byte >> $0 & 1) } }
                rest = rest.dropFirst(size)
                for start in stride(from: 0, to: bits.count, by: bitWidth) {
                    values.append((0..<bitWidth).reduce(UInt32(0)) { $0 | bits[start + $1] << UInt32($1) })
                }
            }
        }
        // Only the last group is padded.
        #expect(values.count >= count && values.count < count + 8)
        return Array(values.prefix(count))
    }
}

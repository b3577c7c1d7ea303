import FixedMemory
import Testing

@Suite struct FixedBufferTests {
    @Test func `a buffer takes bytes up to its capacity and then refuses as a whole`() throws {
        var buffer = FixedBuffer<5>()
        try buffer.append(littleEndian: 0x0403_0201 as UInt32)
        #expect(throws: CapacityError.self) { try buffer.append(littleEndian: 7 as UInt16) }
        #expect(buffer.count == 4)
        try buffer.append(5 as UInt8)
        #expect(buffer.freeCount == 0)
        #expect((0..<5).map { buffer[$0] } == [1, 2, 3, 4, 5])
    }

    @Test func `integers are written big-endian`() throws {
        var buffer = FixedBuffer<4>()
        try buffer.append(bigEndian: 0x0102_0304 as UInt32)
        #expect((0..<4).map { buffer[$0] } == [1, 2, 3, 4])
    }

    @Test func `buffers are compared by content, not by the bytes behind the end`() throws {
        var left = FixedBuffer<4>()
        try left.append(1 as UInt8)
        try left.append(2 as UInt8)
        left.truncate(to: 1)
        var right = FixedBuffer<4>()
        try right.append(1 as UInt8)
        #expect(left == right)
    }
}

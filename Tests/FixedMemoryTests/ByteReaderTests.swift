import FixedMemory
import Testing

@Suite struct ByteReaderTests {
    @Test func `integers are read in both byte orders`() throws {
        let bytes: [UInt8] = [1, 2, 0xff, 0xde, 0xad, 0xbe, 0xef]
        var reader = ByteReader(bytes.span)
        #expect(try reader.readUInt16() == 0x0201)
        #expect(try reader.readInt8() == -1)
        #expect(try reader.readUInt32BigEndian() == 0xdead_beef)
        let isAtEnd = reader.isAtEnd
        #expect(isAtEnd)
    }

    @Test func `a read past the end is refused and consumes nothing`() {
        let bytes: [UInt8] = [1, 2, 3]
        var reader = ByteReader(bytes.span)
        var refused = false
        do throws(EndOfBytes) { _ = try reader.readUInt32() } catch { refused = true }
        #expect(refused)
        let remaining = reader.remainingCount
        #expect(remaining == 3)
    }

    @Test func `spans are returned without copying`() throws {
        let bytes: [UInt8] = [9, 8, 7, 6]
        var reader = ByteReader(bytes.span)
        let front = try reader.readBytes(2)
        let last = front[1]
        #expect(last == 8)
        let rest = reader.readRest()
        let (count, first) = (rest.count, rest[0])
        #expect(count == 2 && first == 7)
    }
}

import FixedMemory
import Testing

@Suite struct TextOutputTests {
    private static func text<let capacity: Int>(_ buffer: FixedBuffer<capacity>) -> String {
        String(decoding: (0..<buffer.count).map { buffer[$0] }, as: UTF8.self)
    }

    @Test(arguments: [0, 9, 10, -1, 4_294_967_295, .max, .min] as [Int64])
    func `A number in decimal digits`(number: Int64) throws {
        var buffer = FixedBuffer<20>()
        try buffer.append(decimal: number)
        #expect(Self.text(buffer) == String(number))
    }

    @Test func `The largest and the smallest of their types`() throws {
        var buffer = FixedBuffer<32>()
        try buffer.append(decimal: UInt64.max)
        try buffer.append(decimal: Int8.min)
        #expect(Self.text(buffer) == "18446744073709551615-128")
    }

    @Test func `A number that does not fit leaves nothing behind`() throws {
        var buffer = FixedBuffer<3>()
        #expect(throws: CapacityError.self) { try buffer.append(decimal: -100) }
        #expect(buffer.isEmpty)
        try buffer.append(decimal: -10)
        #expect(throws: CapacityError.self) { try buffer.append(hexByte: 0xab) }
        #expect(Self.text(buffer) == "-10")
    }

    @Test func `A byte in hexadecimal digits`() throws {
        var buffer = FixedBuffer<6>()
        try buffer.append(hexByte: 0x0a)
        try buffer.append(hexByte: 0xf9)
        try buffer.append(hexByte: 0xbc, uppercase: true)
        #expect(Self.text(buffer) == "0af9BC")
    }
}

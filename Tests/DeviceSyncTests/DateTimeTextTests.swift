import DeviceSync
import FixedMemory
import TestSupport
import Testing

@Suite struct DateTimeTextTests {
    @Test func `texts of known clients are read`() throws {
        for vector in try SMPVectors.load().datetimes {
            #expect(
                DateTimeText.time(Array(vector.text.utf8).span)
                    == WallClockTime(milliseconds: vector.milliseconds),
                "\(vector.text)")
        }
    }

    @Test func `other texts are refused`() throws {
        for text in try SMPVectors.load().refusedDatetimes {
            #expect(DateTimeText.time(Array(text.utf8).span) == nil, "\(text)")
        }
    }

    @Test func `written texts can be read back`() throws {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<5000 {
            let time = WallClockTime(milliseconds: .random(in: 0...253_402_300_799_999, using: &generator))
            var buffer = FixedBuffer<32>()
            try DateTimeText.write(time, into: &buffer)
            #expect(buffer.count == 26)
            #expect(DateTimeText.time(buffer.span) == time)
        }
    }

    @Test func `the written form is that of the OS group`() throws {
        var buffer = FixedBuffer<32>()
        try DateTimeText.write(1_795_255_200_123, into: &buffer)
        #expect(text(buffer.span) == "2026-11-21T10:00:00.123000")
        buffer.removeAll()
        try DateTimeText.write(WallClockTime(milliseconds: .max), into: &buffer)
        #expect(text(buffer.span) == "9999-12-31T23:59:59.999000")
    }

    @Test func `mutated texts never trap`() {
        let seed: UInt64 = 6
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("0123456789-:T.+Z 9".utf8)
        for _ in 0..<20_000 {
            var text = Array("2026-11-21T10:00:00.123456+00:00".utf8)
            for _ in 0..<3 {
                text[Int.random(in: 0..<text.count, using: &generator)] =
                    alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            _ = DateTimeText.time(text.span)
        }
    }
}

import FixedMemory
import Testing

@Suite("Splitting spans")
struct SpanSlicesTests {
    @Test func `takeFirst splits off the first bytes and keeps the rest`() {
        let bytes: [UInt8] = [1, 2, 3, 4, 5]
        var rest = bytes.span
        guard let first = rest.takeFirst(2) else {
            Issue.record("there are two")
            return
        }
        let (firstCount, firstByte, restCount, restByte) = (first.count, first[0], rest.count, rest[0])
        #expect(firstCount == 2 && firstByte == 1)
        #expect(restCount == 3 && restByte == 3)
    }

    @Test func `takeFirst accepts a count of zero and the full count`() {
        let bytes: [UInt8] = [1, 2, 3]
        var rest = bytes.span
        let none = rest.takeFirst(0)?.count
        let all = rest.takeFirst(3)?.count
        let left = rest.count
        #expect(none == 0)
        #expect(all == 3)
        #expect(left == 0)
    }

    @Test(arguments: [4, .max, -1, .min])
    func `takeFirst refuses a negative count or one beyond the end, and changes nothing`(count: Int) {
        let bytes: [UInt8] = [1, 2, 3]
        var rest = bytes.span
        let isRefused = rest.takeFirst(count) == nil
        let left = rest.count
        #expect(isRefused)
        #expect(left == 3)
    }
}

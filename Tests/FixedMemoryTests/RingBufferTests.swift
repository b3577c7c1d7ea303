import FixedMemory
import Testing

@Suite struct RingBufferTests {
    @Test func `the order is kept across the wrap`() throws {
        var ring = try RingBuffer<Int>(capacity: 3, filledWith: 0)
        var popped: [Int] = []
        for value in 1...3 { try ring.push(value) }
        for value in 4...9 {
            if let first = ring.pop() { popped.append(first) }
            try ring.push(value)
        }
        while let value = ring.pop() { popped.append(value) }
        #expect(popped == Array(1...9))
    }

    @Test func `a full buffer refuses and stays unchanged`() throws {
        var ring = try RingBuffer<Int>(capacity: 2, filledWith: 0)
        try ring.push(1)
        try ring.push(2)
        var refused = false
        do throws(CapacityError) { try ring.push(3) } catch { refused = true }
        #expect(refused)
        #expect(ring.pop() == 1)
        #expect(ring.pop() == 2)
        #expect(ring.pop() == nil)
    }
}

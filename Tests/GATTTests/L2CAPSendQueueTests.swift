import FixedMemory
import GATT
import TestSupport
import Testing

@Suite struct L2CAPSendQueueTests {
    @Test(arguments: [1, 2, 3, 4, 5, 26, 27, 28, 251, 521, 600])
    func `fragments reassemble to the PDU`(_ fragmentByteCount: Int) throws {
        var generator = SeededGenerator(seed: 27)
        var queue = L2CAPSendQueue<1200>()
        var reassembler = L2CAPReassembler()
        for byteCount in [0, 1, 22, 23, 24, 50, 129, 517, 517, 3] {
            let payload = generator.bytes(byteCount)
            try queue.append(payload.span, channel: .attributeProtocol)
            try queue.append([5, 5].span, channel: .securityManager)
            for (expected, channel) in [(payload, 4 as UInt16), ([5, 5], 6)] {
                var fragments = 0
                var isComplete = false
                while !isComplete {
                    var fragment = FixedBuffer<600>()
                    let boundary = queue.nextFragment(maximumByteCount: fragmentByteCount, into: &fragment)
                    #expect(boundary == (fragments == 0 ? .firstNonFlushable : .continuation))
                    #expect(fragment.count <= fragmentByteCount && !fragment.isEmpty)
                    guard let boundary else { return }
                    isComplete = reassembler.receive(fragment.span, boundary: boundary)
                    fragments += 1
                }
                #expect(fragments == (expected.count + 4 + fragmentByteCount - 1) / fragmentByteCount)
                #expect(reassembler.channel == channel)
                #expect(reassembler.payload.array == expected)
            }
        }
        #expect(queue.isEmpty)
        #expect(reassembler.droppedCount == 0)
    }

    @Test func `a PDU that does not fit is refused as a whole`() throws {
        var queue = L2CAPSendQueue<32>()
        try queue.append([UInt8](repeating: 1, count: 20).span, channel: .attributeProtocol)
        #expect(queue.hasRoom(forPayload: 4))
        #expect(!queue.hasRoom(forPayload: 5))
        #expect(throws: CapacityError.self) {
            try queue.append([1, 2, 3, 4, 5].span, channel: .signalling)
        }
        var fragment = FixedBuffer<27>()
        #expect(queue.nextFragment(maximumByteCount: 27, into: &fragment) == .firstNonFlushable)
        #expect(fragment.count == 24)
        #expect(queue.isEmpty)
        #expect(queue.nextFragment(maximumByteCount: 27, into: &fragment) == nil)
    }
}

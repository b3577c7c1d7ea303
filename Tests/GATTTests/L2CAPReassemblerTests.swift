import GATT
import TestSupport
import Testing

extension L2CAPReassembler {
    /// - Returns: The payload, if it is now complete.
    fileprivate mutating func take(_ fragment: [UInt8], _ boundary: ACLBoundary = .firstFlushable) -> [UInt8]?
    {
        receive(fragment.span, boundary: boundary) ? payload.array : nil
    }
}

@Suite struct L2CAPReassemblerTests {
    private let pdu = [UInt8](hex: "0700 0400 0a0900aabbccdd")
    private let payload = [UInt8](hex: "0a0900aabbccdd")

    @Test func `a PDU is reassembled wherever it is cut`() {
        for first in 0...pdu.count {
            for second in first...pdu.count {
                var reassembler = L2CAPReassembler()
                let parts = [Array(pdu[..<first]), Array(pdu[first..<second]), Array(pdu[second...])]
                var completions = 0
                for (index, part) in parts.enumerated() {
                    // After the end only empty parts remain; they would be stray continuations.
                    if completions > 0 { break }
                    let boundary: ACLBoundary = index == 0 ? .firstFlushable : .continuation
                    if reassembler.receive(part.span, boundary: boundary) { completions += 1 }
                }
                #expect(completions == 1)
                #expect(reassembler.channel == 4)
                #expect(reassembler.payload.array.hex == "0a0900aabbccdd")
                #expect(reassembler.droppedCount == 0)
            }
        }
    }

    @Test func `both kinds of first fragment are accepted`() {
        for boundary in [ACLBoundary.firstNonFlushable, .firstFlushable] {
            var reassembler = L2CAPReassembler()
            #expect(reassembler.take(pdu, boundary) == payload)
        }
        var reassembler = L2CAPReassembler()
        #expect(reassembler.take(pdu, .wholeFlushable) == nil)
        #expect(reassembler.droppedCount == 1)
    }

    @Test func `an empty PDU is accepted`() {
        var reassembler = L2CAPReassembler()
        #expect(reassembler.take([0, 0, 6, 0]) == [])
        #expect(reassembler.channel == 6)
        #expect(reassembler.payload.array.isEmpty)
    }

    @Test func `the longest PDU is accepted and no longer one`() {
        for (byteCount, isTaken) in [(517, true), (518, false), (65535, false)] {
            var reassembler = L2CAPReassembler()
            let whole =
                [UInt8(truncatingIfNeeded: byteCount), UInt8(byteCount >> 8), 4, 0]
                + [UInt8](repeating: 9, count: byteCount)
            var isComplete = false
            for start in stride(from: 0, to: whole.count, by: 27) {
                let part = Array(whole[start..<min(whole.count, start + 27)])
                isComplete = reassembler.receive(
                    part.span, boundary: start == 0 ? .firstFlushable : .continuation)
            }
            #expect(isComplete == isTaken)
            #expect(reassembler.payload.count == (isTaken ? byteCount : 0))
            #expect(reassembler.droppedCount == (isTaken ? 0 : 1))
            #expect(reassembler.take(pdu) == payload)
        }
    }

    @Test func `a first fragment ends an unfinished PDU`() {
        var reassembler = L2CAPReassembler()
        #expect(reassembler.take(Array(pdu[..<6])) == nil)
        #expect(reassembler.take(pdu) == payload)
        #expect(reassembler.droppedCount == 1)
    }

    @Test func `a stray continuation is dropped`() {
        var reassembler = L2CAPReassembler()
        #expect(reassembler.take(pdu, .continuation) == nil)
        #expect(reassembler.droppedCount == 1)
        #expect(reassembler.take(pdu, .continuation) == nil)
        #expect(reassembler.droppedCount == 1)
        #expect(reassembler.take(pdu) == payload)
        #expect(reassembler.take([1], .continuation) == nil)
        #expect(reassembler.droppedCount == 2)
        #expect(reassembler.payload.array.isEmpty)
    }

    @Test func `bytes beyond the announced length are dropped`() {
        var reassembler = L2CAPReassembler()
        #expect(reassembler.take(pdu + [1]) == nil)
        #expect(reassembler.take(Array(pdu[..<6])) == nil)
        #expect(reassembler.take(pdu[6...] + [1], .continuation) == nil)
        #expect(reassembler.droppedCount == 2)
        #expect(reassembler.take([UInt8](repeating: 0xff, count: 600)) == nil)
        #expect(reassembler.droppedCount == 3)
    }

    @Test func `arbitrary fragments never trap`() {
        let seed: UInt64 = 0x12ca9
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var reassembler = L2CAPReassembler()
        var completions = 0
        for _ in 0..<100_000 {
            var fragment = generator.bytes(Int.random(in: 0...40, using: &generator))
            if fragment.count > 1, Bool.random(using: &generator) {
                fragment[0] &= 0x3f
                fragment[1] = 0
            }
            let boundary = ACLBoundary(rawValue: UInt8.random(in: 0...3, using: &generator)) ?? .continuation
            if reassembler.receive(fragment.span, boundary: boundary) {
                completions += 1
                #expect(reassembler.payload.count <= L2CAP.maximumPayloadByteCount)
            }
        }
        #expect(completions > 100)
    }
}

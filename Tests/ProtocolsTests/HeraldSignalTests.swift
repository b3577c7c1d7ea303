import FixedMemory
import Protocols
import TestSupport
import Testing

@Suite struct HeraldSignalTests {
    /// The outcome of each of a phone's writes, in order.
    private func outcomes(_ writes: [[UInt8]]) -> [HeraldSignalAssembler.Outcome] {
        var assembler = HeraldSignalAssembler()
        return writes.map { assembler.write($0.span, now: 0) }
    }

    private func outcomes(_ writes: String...) -> [HeraldSignalAssembler.Outcome] {
        outcomes(writes.map { [UInt8](hex: $0) })
    }

    private func message(_ code: UInt8, _ data: [UInt8], rssi: [UInt8] = []) -> [UInt8] {
        [code] + rssi + [UInt8(data.count & 255), UInt8(data.count >> 8)] + data
    }

    private func pieces(of message: [UInt8], byteCount: Int = 20) -> [[UInt8]] {
        stride(from: 0, to: message.count, by: byteCount).map {
            Array(message[$0..<min($0 + byteCount, message.count)])
        }
    }

    @Test func `X3: an RSSI is little-endian and signed`() {
        var assembler = HeraldSignalAssembler()
        #expect(assembler.write([UInt8](hex: "02 c8ff").span, now: 0) == .complete(.rssi))
        #expect(assembler.rssiDBm == -56)
        #expect(assembler.payload.isEmpty)
    }

    @Test func `a payload message is read`() {
        var assembler = HeraldSignalAssembler()
        #expect(
            assembler.write([UInt8](hex: "01 0900 303a03040040e20100").span, now: 0)
                == .complete(.payload))
        let payload = assembler.payload
        #expect((0..<payload.count).map { payload[$0] }.hex == "303a03040040e20100")
        #expect(assembler.rssiDBm == 0)
    }

    @Test func `a message of shared payloads is read`() {
        var assembler = HeraldSignalAssembler()
        #expect(
            assembler.write([UInt8](hex: "03 7f00 0000").span, now: 0)
                == .complete(.payloadSharing))
        #expect(assembler.rssiDBm == 127)
        #expect(assembler.payload.isEmpty)
        #expect(
            assembler.write([UInt8](hex: "03 c8ff 0200 abcd").span, now: 0)
                == .complete(.payloadSharing))
        #expect(assembler.rssiDBm == -56)
        #expect(assembler.payload.count == 2)
    }

    @Test func `HP-C29, HP-C30: the signal characteristic accepts an immediate message`() {
        var assembler = HeraldSignalAssembler()
        #expect(
            assembler.write([UInt8](hex: "04 0200 6869").span, now: 0)
                == .complete(.immediateSend))
        #expect(assembler.payload.count == 2)
    }

    @Test func `an empty write only wakes the receiver`() {
        #expect(outcomes("", "02c8ff", "") == [.wake, .complete(.rssi), .wake])
    }

    @Test(arguments: [1, 2, 3, 19, 20, 21, 129, 185, 512])
    func `X4: messages in writes of twenty bytes are reassembled`(_ byteCount: Int) {
        let data = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 3) }
        for (code, rssi) in [(1, []), (3, [0xc8, 0xff]), (4, [])] as [(UInt8, [UInt8])] {
            var assembler = HeraldSignalAssembler()
            let writes = pieces(of: message(code, data, rssi: rssi))
            for write in writes.dropLast() {
                #expect(assembler.write(write.span, now: 0) == .incomplete)
            }
            #expect(
                writes.last.map { assembler.write($0.span, now: 0) }
                    == HeraldSignalCode(rawValue: code).map { .complete($0) })
            let payload = assembler.payload
            #expect((0..<payload.count).map { payload[$0] } == data)
        }
    }

    @Test func `the header itself may be cut`() {
        #expect(outcomes("01", "02", "00", "aa", "bb").last == .complete(.payload))
    }

    @Test func `after any complete message the next one begins`() {
        #expect(
            outcomes("02c8ff", "03c8ff0000", "0402006869", "01010055", "02c8ff")
                == [
                    .complete(.rssi), .complete(.payloadSharing), .complete(.immediateSend),
                    .complete(.payload), .complete(.rssi),
                ])
    }

    @Test func `HP-C41: a message with an unknown code is refused, and the next one accepted`() {
        #expect(outcomes("05", "02c8ff") == [.malformed, .complete(.rssi)])
        #expect(outcomes("00ffff", "02c8ff") == [.malformed, .complete(.rssi)])
    }

    @Test func `half a message without its rest does not swallow the next`() {
        let patience = HeraldSignalAssembler.timeout
        let half = [UInt8](hex: "01 0900 303a")
        let rest = [UInt8](hex: "03040040e20100")
        let rssi = [UInt8](hex: "02c8ff")
        var assembler = HeraldSignalAssembler()
        #expect(assembler.write(half.span, now: 1_000) == .incomplete)
        #expect(assembler.write(rssi.span, now: 1_001 + patience) == .complete(.rssi))
        #expect(assembler.write(half.span, now: 50_000) == .incomplete)
        #expect(assembler.write(rest.span, now: 50_000 + patience) == .complete(.payload))
    }

    @Test func `lengths beyond one attribute are refused`() {
        #expect(outcomes("01 0102") == [.malformed])
        #expect(outcomes("01 ffff 00") == [.malformed])
        #expect(outcomes("03 c8ff 0102") == [.malformed])
        #expect(outcomes("01 0002") == [.incomplete])
    }

    @Test func `more bytes than declared are refused`() {
        #expect(outcomes("02 c8ff 00") == [.malformed])
        #expect(outcomes("01 0100 aabb") == [.malformed])
        #expect(outcomes("01 0200 aa", "bbcc") == [.incomplete, .malformed])
    }

    @Test func `any writes are accepted without a trap`() {
        let seed: UInt64 = 9
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        var assembler = HeraldSignalAssembler()
        for _ in 0..<50_000 {
            var write = generator.bytes(Int.random(in: 0...40, using: &generator))
            if Bool.random(using: &generator), write.count > 3 {
                write[0] = UInt8.random(in: 1...4, using: &generator)
                write[2] = 0
            }
            if case .complete = assembler.write(write.span, now: 0) {
                #expect(assembler.payload.count <= 512)
            }
        }
        let long = generator.bytes(512)
        for _ in 0..<3 { _ = assembler.write(long.span, now: 0) }
    }
}

import FlashSimulator
import Testing

@testable import Simulator

/// The damage of a UART to bytes, and a controller's reaction to it.
@Suite struct StreamDamageTests {
    private static let reset: [UInt8] = [1, 0x03, 0x0c, 0]
    private static let enable: [UInt8] = [1, 0x0a, 0x20, 1, 1]

    @Test func `an overrun loses consecutive bytes, and extends into the next packet`() {
        var damage = StreamDamage(RandomStream(seed: 1))
        var losses: [[UInt8]] = []
        for number in 0..<200 {
            let packet = (0..<UInt8(10)).map { $0 }
            var bytes = packet
            let time = SimulatedTime(microseconds: UInt64(number) * 100)
            let isDamaged = damage.overrun(&bytes, oneIn: 100, at: time)
            #expect(isDamaged == (bytes != packet))
            losses.append(packet.filter { !bytes.contains($0) })
        }
        // Each loss is one run of bytes, except where one overrun ends and another begins.
        let runs = losses.filter { $0.count > 1 }.filter {
            $0.last.map(Int.init) == Int($0[0]) + $0.count - 1
        }
        #expect(runs.count > 20)
        #expect(losses.contains { $0.count == 10 }, "a whole packet")
        #expect(losses.contains([]))
    }

    @Test func `the FIFO has room again after a pause`() {
        var damage = StreamDamage(RandomStream(seed: 1))
        var bytes: [UInt8] = [1]
        #expect(damage.overrun(&bytes, oneIn: 1, at: SimulatedTime(microseconds: 0)))
        #expect(bytes == [])
        bytes = [2]
        #expect(!damage.overrun(&bytes, oneIn: .max, at: SimulatedTime(microseconds: 2_000)))
        #expect(bytes == [2])
    }

    @Test func `only the first four bytes of a packet are changed`() {
        var damage = StreamDamage(RandomStream(seed: 1))
        var changed: Set<Int> = []
        for _ in 0..<200 {
            var bytes = [UInt8](repeating: 0, count: 20)
            if damage.changeHead(of: &bytes, oneIn: 8) {
                changed.formUnion(bytes.indices.filter { bytes[$0] != 0 })
            }
        }
        #expect(changed == [0, 1, 2, 3])
    }

    @Test func `packets are found in a stream that arrives in any pieces`() {
        var stream = HostStream()
        var found: [HostStream.Piece] = []
        for byte in Self.enable + [2, 1, 0x20, 2, 0, 7, 8] + Self.reset {
            stream.append([byte], at: .zero)
            while let piece = stream.next() { found.append(piece) }
        }
        #expect(found == [.packet(Self.enable), .packet([2, 1, 0x20, 2, 0, 7, 8]), .packet(Self.reset)])
        #expect(stream.isInStep)
    }

    @Test func `a controller out of step accepts only a reset`() {
        var stream = HostStream()
        // A byte of the first command is missing, so the controller takes one of the second for it.
        stream.append(Array(Self.enable.dropLast()) + Self.enable, at: .zero)
        #expect(stream.next() == .packet(Array(Self.enable.dropLast()) + [1]))
        #expect(stream.next() == .lost)
        #expect(stream.next() == nil)
        stream.append(Self.enable + Self.enable, at: .zero)
        #expect(stream.next() == nil && !stream.isInStep)
        stream.append([0x77] + Self.reset + Self.enable, at: .zero)
        #expect(stream.next() == .packet(Self.reset))
        #expect(stream.next() == .packet(Self.enable))
        #expect(stream.next() == nil && stream.isInStep)
    }

    @Test func `a packet whose rest does not arrive in time is dropped`() {
        var stream = HostStream()
        stream.append([2, 1, 0x20, 0, 0x10, 1, 2, 3], at: .zero)
        stream.append(Self.reset, at: .zero + .milliseconds(90))
        #expect(stream.next() == nil)
        stream.append(Self.reset, at: .zero + .milliseconds(191))
        #expect(stream.next() == .packet(Self.reset))
    }
}

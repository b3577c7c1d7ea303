import HCI
import Testing

@testable import Simulator

/// The kernel's buffer for a host that does not read.
@Suite struct ReceiveBufferTests {
    @Test func `a socket buffer holds 278 reports of up to 192 bytes`() {
        for byteCount in [15, 46, 192] {
            var buffer = ReceiveBuffer(.packets)
            #expect((0..<300).count { _ in buffer.take(byteCount) > 0 } == 278)
        }
        var buffer = ReceiveBuffer(.packets)
        #expect((0..<300).count { _ in buffer.take(193) > 0 } == 167)
        buffer.give(back: 193)
        #expect(buffer.take(15) == 15)
    }

    @Test func `a tty buffer takes the part of a packet that fits`() {
        var buffer = ReceiveBuffer(.stream)
        #expect(buffer.take(69_600) == 69_600)
        #expect(buffer.take(46) == 31)
        #expect(buffer.take(46) == 0)
        buffer.give(back: 50)
        #expect(buffer.take(46) == 46)
    }

    /// A full buffer loses an answer like a report. The controller then waits for a host that knows nothing
    /// of it.
    @Test func `a host that does not read loses answers too`() throws {
        let world = World(seed: 1)
        let controller = SimulatedController("controller", at: Route(standingAt: Position(0, 0)), in: world)
        let transport = controller.transport
        try transport.open()
        for number in 0..<300 {
            transport.sendToHost([4, 0xff, 1, UInt8(number % 256)], after: .microseconds(1))
        }
        transport.sendToHost([4, 0x0e, 4, 1, 3, 0x0c, 0], after: .microseconds(1))
        world.run(for: .milliseconds(1))
        var taken: [[UInt8]] = []
        while let packet = try transport.takePacket() { taken.append(packet) }
        #expect(taken.count == 278)
        #expect(transport.lostPacketCount == 23)
        #expect(!taken.contains { $0[1] == 0x0e })
        // The buffer has space again.
        transport.sendToHost([4, 0x0e, 4, 1, 3, 0x0c, 0], after: .microseconds(1))
        world.run(for: .milliseconds(1))
        #expect(try transport.takePacket()?[1] == 0x0e)
    }
}

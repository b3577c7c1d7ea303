import BoardLink
import FixedMemory
import FlashSimulator
import Simulator

/// A host's connection to a simulated board. Requests of the real sync client take simulated time, and the
/// client uses the world's clocks.
final class WorldChannel: ByteChannel {
    let name = "line"
    private let world: World
    private let line: SimulatedLine
    private var random: RandomStream
    /// The longest delay each way.
    private let longestDelayMicroseconds: UInt64

    init(_ line: SimulatedLine, longestDelayMicroseconds: UInt64 = 8_000, in world: World) {
        self.line = line
        self.world = world
        self.longestDelayMicroseconds = longestDelayMicroseconds
        random = world.random("line of a host")
    }

    /// `epochMilliseconds`: the time from 1970 to the world's beginning.
    func client(epochMilliseconds: Int64) -> BoardClient {
        nonisolated(unsafe) let world = world
        return BoardClient(
            self,
            clock: HostClock(
                monotonicMicroseconds: { Int64(world.now.microseconds) },
                wallClockMicroseconds: { Int64(world.now.microseconds) + epochMilliseconds * 1_000 }))
    }

    var now: Instant { Instant(milliseconds: world.now.microseconds / 1_000) }

    private func pass() { world.run(for: .microseconds(random.below(longestDelayMicroseconds))) }

    func write(_ bytes: [UInt8], timeout: Interval) throws(LinkError) {
        pass()
        line.send(bytes)
    }

    func read(timeout: Interval) throws(LinkError) -> [UInt8] {
        let end = world.now + .milliseconds(timeout.milliseconds)
        while line.fromBoard.isEmpty {
            guard world.now < end else { return [] }
            world.run(for: .microseconds(100))
        }
        let bytes = line.takeOutput()
        pass()
        return bytes
    }
}

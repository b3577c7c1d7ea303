import Agent
import CLinux
import FixedMemory

/// The system's random number generator.
public struct LinuxRandom: RandomSource, Sendable {
    /// Waits until the generator is ready, which takes some seconds early in boot.
    public init(clock: LinuxClock, readiness: Readiness) {
        var probe: UInt64 = 0
        while clinux_random(&probe, 8) < 0 {
            readiness.wait(until: clock.now + .milliseconds(50), clock: clock)
        }
    }

    public mutating func next() -> UInt64 {
        var value: UInt64 = 0
        // Once ready, the generator stays ready.
        while clinux_random(&value, 8) < 0 {}
        return value
    }

    public mutating func nextBlock() -> Bytes<16> {
        var block = Bytes<16>()
        for half in 0..<2 {
            let value = next()
            for index in 0..<8 {
                block[half * 8 + index] = UInt8(
                    truncatingIfNeeded: value >> UInt64(truncatingIfNeeded: 8 * index))
            }
        }
        return block
    }
}

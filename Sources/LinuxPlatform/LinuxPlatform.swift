import Agent
import CLinux
import FixedMemory

/// The agent's platform on Linux: descriptors, and one epoll instance that waits for all of them.
public enum LinuxPlatform: Platform {
    public typealias Clock = LinuxClock
    public typealias Radio = LinuxRadio
    public typealias Flash = FlashFile
    public typealias Serial = LinuxSerialPort
    public typealias Randomness = LinuxRandom
    public typealias Board = LinuxBoard
}

/// A failed system call, with its error number.
public struct SystemError: Error, BitwiseCopyable, Equatable, Sendable {
    public let number: Int32

    public init(number: Int32) { self.number = number }

    /// Throws if `value`, the result of a call in CLinux, is a negative error number.
    @discardableResult
    package static func check(_ value: Int32) throws(SystemError) -> Int32 {
        guard value >= 0 else { throw SystemError(number: -value) }
        return value
    }

    package static func check(_ value: Int64) throws(SystemError) -> Int {
        guard value >= 0 else { throw SystemError(number: Int32(truncatingIfNeeded: -value)) }
        return Int(truncatingIfNeeded: value)
    }
}

/// Waits until a descriptor is ready or a deadline has passed.
public struct Readiness: BitwiseCopyable, Sendable {
    let descriptor: Int32

    public init() throws(SystemError) { descriptor = try SystemError.check(clinux_epoll_create()) }

    /// Adds a descriptor; closing the descriptor removes it again.
    package func add(_ other: Int32) throws(SystemError) {
        try SystemError.check(clinux_epoll_add(descriptor, other, UInt32(CLINUX_READABLE), 0))
    }

    func setWantsToWrite(_ wants: Bool, _ other: Int32) {
        let readiness = wants ? CLINUX_READABLE | CLINUX_WRITABLE : CLINUX_READABLE
        _ = clinux_epoll_modify(descriptor, other, UInt32(readiness), 0)
    }

    func remove(_ other: Int32) { _ = clinux_epoll_remove(descriptor, other) }

    public func wait(until deadline: Instant, clock: LinuxClock) {
        let now = clock.now
        let timeout = deadline > now ? (deadline - now).milliseconds * 1_000_000 : 0
        var ready = clinux_ready()
        _ = clinux_epoll_wait(descriptor, &ready, 1, timeout)
    }
}

import FixedMemory

/// The wall-clock time that two independent sources confirm. Only this time dates segments, erases what is
/// over, and so decides what is lost; docs/time.md has the sources and what makes them independent.
///
/// Once confirmed, the time continues by monotonic time until two sources confirm another one. A source that
/// is wrong alone changes nothing.
struct Calendar: BitwiseCopyable {
    /// The time that one source states, and since when.
    private struct Claim: BitwiseCopyable {
        var offset: ClockOffset
        var since: Instant
    }

    /// The time that hosts told, with the first of the sessions that agree with the last one.
    private var told: Claim?
    /// The system clock, while something disciplines it, with the first of the readings that agree.
    private var system: Claim?
    private(set) var offset: ClockOffset?

    /// Sources agree if they differ by at most this: the drift of a month is less, a wrong day is more.
    private static var tolerance: Interval { .hours(1) }
    /// A system clock counts after so long without a step.
    private static var steadyTime: Interval { .hours(1) }
    /// Two times that hosts told are independent if they lie so far apart.
    private static var sessionDistance: Interval { .hours(20) }

    /// The day in UTC, as days since 1970; nil while the time is not confirmed.
    func day(at now: Instant) -> UInt32? {
        offset.map { UInt32(truncatingIfNeeded: (now + $0).days) }
    }

    /// Takes the system clock's present reading. A clock of unknown error does not count.
    @inline(never)
    mutating func observe(_ reading: WallClockReading?, now: Instant) {
        guard let reading, reading.errorMilliseconds != .max else {
            system = nil
            return
        }
        let offset = ClockOffset(of: reading.time, at: now)
        // The first reading stays, so that a clock that creeps away counts as one that was set.
        guard let system, Self.agree(system.offset, offset) else {
            self.system = Claim(offset: offset, since: now)
            return
        }
        if let told, now >= system.since + Self.steadyTime { confirm(offset, by: told.offset) }
    }

    /// Takes the time that a host told.
    @inline(never)
    mutating func tell(_ offset: ClockOffset, now: Instant) {
        if let told, Self.agree(told.offset, offset) {
            if now >= told.since + Self.sessionDistance { confirm(offset, by: told.offset) }
        } else {
            told = Claim(offset: offset, since: now)
        }
        if let system, now >= system.since + Self.steadyTime { confirm(offset, by: system.offset) }
    }

    /// Adopts the earlier of two times that agree.
    private mutating func confirm(_ one: ClockOffset, by other: ClockOffset) {
        guard Self.agree(one, other) else { return }
        offset = one.isEarlier(than: other) ? one : other
    }

    private static func agree(_ one: ClockOffset, _ other: ClockOffset) -> Bool {
        one.distance(from: other) <= tolerance
    }
}

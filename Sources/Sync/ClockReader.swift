import Archive
import BoardLink
import DeviceSync
import FixedMemory

/// Measures a board's monotonic clock against this computer's wall clock.
struct ClockReader {
    struct Reading {
        let boot: UInt64
        var anchor: Anchor
        /// True if the board can tell which moment of its clock a new wall time belongs to.
        let canTellMoment: Bool
    }

    /// The number of exchanges, of which the most precise one counts: a delay seldom affects all of them.
    static let exchangeCount = 8
    /// The largest accepted change of the wall clock; a larger one means that somebody set this computer's
    /// clock meanwhile.
    private static let largestChangeMicroseconds: Int64 = 100_000

    let client: BoardClient

    private var clock: HostClock { client.clock }

    /// Nil if this computer's clock was never set or was just changed, or if the board cannot report its
    /// clock.
    func read() throws(LinkError) -> Reading? {
        guard clock.wallClock.isCredible else { return nil }
        do throws(LinkError) {
            return try readBest()
        } catch {
            guard case .refused = error else { throw error }
            return try readStatus()
        }
    }

    private func readBest() throws(LinkError) -> Reading? {
        let offset = clock.wallClockOffsetMicroseconds
        var exchanges: [ClockExchange] = []
        for _ in 0..<Self.exchangeCount {
            let next = try client.exchangeTime()
            // The board may have rebooted in between.
            exchanges.removeAll { $0.answer.bootIdentifier != next.answer.bootIdentifier }
            exchanges.append(next)
        }
        // An answer that the line has held back since an earlier request contradicts the others.
        let agreed = exchanges.filter { one in
            2 * exchanges.count { $0.agrees(with: one) } > exchanges.count
        }
        let best = agreed.min { $0.errorMicroseconds < $1.errorMicroseconds }
        return best.flatMap { reading(of: $0, offset: offset, canTellMoment: true) }
    }

    /// The longest step of an agent's loop. An older board's status contains the clock of the step's
    /// beginning, but the request may arrive in its middle.
    private static let longestStep = Interval.milliseconds(10)

    /// The fallback for a board without the time command: its status contains its clock.
    private func readStatus() throws(LinkError) -> Reading? {
        let offset = clock.wallClockOffsetMicroseconds
        do throws(LinkError) {
            var reading = reading(of: try client.statusExchange(), offset: offset, canTellMoment: false)
            reading?.anchor.error += Self.longestStep
            return reading
        } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    private func reading(of exchange: ClockExchange, offset: Int64, canTellMoment: Bool) -> Reading? {
        let change = abs(clock.wallClockOffsetMicroseconds - offset)
        guard change <= Self.largestChangeMicroseconds else { return nil }
        let wall = exchange.momentMicroseconds + offset
        // Rounding adds an error of at most half a millisecond.
        let error = (exchange.errorMicroseconds + change + 500 + 999) / 1_000
        return Reading(
            boot: exchange.answer.bootIdentifier,
            anchor: Anchor(
                // Clamped where the archive clamps times: sums with invalid times would overflow.
                instant: min(exchange.answer.received, Instant(milliseconds: 1 << 52)),
                wallClock: WallClockTime(clamping: (wall + 500) / 1_000),
                error: Interval(clamping: error) + (clock.wallClockError() ?? .zero), source: .host),
            canTellMoment: canTellMoment)
    }
}

extension ClockExchange {
    /// Whether both can be true of one board's clock, with the rounding of its milliseconds.
    fileprivate func agrees(with other: ClockExchange) -> Bool {
        abs(offsetMicroseconds - other.offsetMicroseconds) <= errorMicroseconds + other.errorMicroseconds
            + 2_000
    }

    /// This computer's clock minus the board's.
    private var offsetMicroseconds: Int64 {
        // Clamped, because a board may claim any time.
        momentMicroseconds - Int64(clamping: min(answer.received.milliseconds, 1 << 52)) * 1_000
    }
}

import Archive
import BoardLink
import DeviceSync

/// Finds out where a board's monotonic clock stands on this computer's wall clock.
struct ClockReader {
    struct Reading {
        let boot: UInt64
        var anchor: Anchor
        /// Whether a time that is set can say which moment of the board's clock it belongs to.
        let canTellMoment: Bool
    }

    /// The best of so many exchanges counts: what delays one seldom delays all.
    static let exchangeCount = 8
    /// 2020-01-01: a wall clock before that was never set.
    private static let earliestCredibleMicroseconds: Int64 = 1_577_836_800_000_000
    /// More than this and somebody has set this computer's clock meanwhile.
    private static let largestChangeMicroseconds: Int64 = 100_000

    let client: BoardClient

    private var clock: HostClock { client.clock }

    /// Nil when this computer's own clock was never set, or is being set, or the board has no command for it.
    func read() throws(LinkError) -> Reading? {
        guard clock.wallClockMicroseconds() > Self.earliestCredibleMicroseconds else { return nil }
        do throws(LinkError) {
            return try readBest()
        } catch {
            guard case .refused = error else { throw error }
            return try readStatus()
        }
    }

    private func readBest() throws(LinkError) -> Reading? {
        let offset = clock.wallClockOffsetMicroseconds
        var best = try client.exchangeTime()
        for _ in 1..<Self.exchangeCount {
            let next = try client.exchangeTime()
            // The board may have been started anew in between.
            let isNewStart = next.answer.bootIdentifier != best.answer.bootIdentifier
            if isNewStart || next.errorMicroseconds < best.errorMicroseconds { best = next }
        }
        return reading(of: best, offset: offset, canTellMoment: true)
    }

    /// What an older board's status says of its clock is from the beginning of a step, which the request may have come
    /// into the middle of.
    private static let longestStepMilliseconds: Int64 = 10

    /// A board that lacks the command tells its clock with its status.
    private func readStatus() throws(LinkError) -> Reading? {
        let offset = clock.wallClockOffsetMicroseconds
        do throws(LinkError) {
            var reading = reading(of: try client.statusExchange(), offset: offset, canTellMoment: false)
            reading?.anchor.errorMilliseconds += Self.longestStepMilliseconds
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
        // Rounding costs half a millisecond at most.
        let error = (exchange.errorMicroseconds + change + 500 + 999) / 1_000
        return Reading(
            boot: exchange.answer.bootIdentifier,
            anchor: Anchor(
                // Cut where the archive cuts times: with one that nobody can have, sums would overflow.
                monotonicMilliseconds: Int64(min(exchange.answer.receivedMilliseconds, 1 << 52)),
                wallClockMilliseconds: (wall + 500) / 1_000,
                errorMilliseconds: error + (clock.wallClockErrorMilliseconds() ?? 0), source: .host),
            canTellMoment: canTellMoment)
    }
}

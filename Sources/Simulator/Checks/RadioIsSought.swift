import Agent
import FixedMemory
import Radio

/// Checks that the agent keeps trying to open a radio that is gone.
///
/// While the transport to the controller is closed, the agent reports that it is recovering. It tries to
/// open the transport at least once a minute, and ends when that has failed for the configured time. For a
/// controller that it has never had up it waits as long as it takes.
final class RadioIsSought: Check {
    /// The longest pause between two attempts. Within one climb of the recovery ladder attempts come
    /// sooner; between climbs there are pauses.
    private static let longestPause = Interval.minutes(1)

    private struct Closure {
        let since: Instant
        var attempts: Int
        var lastAttempt: Instant
        var isForgotten = false
    }

    private var closure: Closure?
    private var wasUp = false

    override func agentStarted() {
        closure = nil
        wasUp = false
    }
    override func agentEnded() { closure = nil }

    override func stepped(_ step: StepFacts) {
        let (transport, now) = (board.controller.transport, step.now)
        wasUp = wasUp || board.radioStatus?.state == .up
        guard !transport.isOpen, let status = board.radioStatus else {
            closure = nil
            return
        }
        var closed = closure ?? Closure(since: now, attempts: transport.openCount, lastAttempt: now)
        if transport.openCount != closed.attempts {
            closed.attempts = transport.openCount
            closed.lastAttempt = now
        }
        if !closed.isForgotten, let what = complaint(closed, status.state, now) {
            closed.isForgotten = true
            broken(what)
        }
        closure = closed
    }

    private func complaint(_ closed: Closure, _ state: RadioStatus.State, _ now: Instant) -> String? {
        if state == .up || state == .quiet {
            return "the agent says that its radio is \(state), which it has closed"
        }
        if now > closed.lastAttempt + Self.longestPause {
            return "the transport is closed, and was not tried for a minute"
        }
        let limit = .minutes(checker.options.giveUpMinutes) + Self.longestPause
        if wasUp, now > closed.since + limit {
            return "the transport cannot be opened, and the agent does not give up"
        }
        return nil
    }
}

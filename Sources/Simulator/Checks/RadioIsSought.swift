import Agent

/// A radio that is not there is not forgotten.
///
/// While the transport to the controller is closed, the agent says that it is recovering, tries to open it at least
/// once a minute, and ends when that has been in vain for as long as it is to wait.
final class RadioIsSought: Check {
    /// The attempts of a climb follow one another sooner; between two climbs there are pauses.
    private static let longestPauseMilliseconds: UInt64 = 60_000

    private struct Closure {
        let since: UInt64
        var attempts: Int
        var lastAttempt: UInt64
        var isForgotten = false
    }

    private var closure: Closure?

    override func agentStarted() { closure = nil }
    override func agentEnded() { closure = nil }

    override func stepped(_ step: StepFacts) {
        let (transport, now) = (board.controller.transport, step.milliseconds)
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

    private func complaint(_ closed: Closure, _ state: RadioStatus.State, _ now: UInt64) -> String? {
        if state == .up || state == .quiet {
            return "the agent says that its radio is \(state), which it has closed"
        }
        if now > closed.lastAttempt + Self.longestPauseMilliseconds {
            return "the transport is closed, and was not tried for a minute"
        }
        let limit = overseer.options.giveUpMinutes * 60_000 + Self.longestPauseMilliseconds
        if now > closed.since + limit {
            return "the transport cannot be opened, and the agent does not give up"
        }
        return nil
    }
}

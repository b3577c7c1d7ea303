import DeviceSync
import FixedMemory
import Radio

/// The agent as the board's service manager sees it.
extension Agent {
    /// Tells the board what the agent does, and answers the programs that ask. Called about once a second.
    // Out of line, because the answer needs room that other steps do not.
    @inline(never)
    mutating func tellBoard(now: Instant) {
        let condition = AgentCondition(
            radio: radio.status.state, isLogWritten: writer.failure == nil,
            isClockKnown: wallClock(now: now) != nil)
        let isWell = service.watch.isWell(condition, giveUpMinutes: settings.giveUpMinutes, now: now)
        board.tell(condition, isWell: isWell, now: now)
        if board.isOnTrial, service.hasPassedTrial(condition, now: now) { endTrial(now: now) }
        answerPrograms(now: now)
    }

    /// Confirms an agent on trial once the medium has taken all of its entries, because until then it may not
    /// have written a page.
    private mutating func endTrial(now: Instant) {
        writer.commitAll(recorder: &recorder, now: now)
        if writer.failure == nil, board.confirmUpdate() {
            board.report(.updateConfirmed)
        } else {
            service.restartTrial()
        }
    }

    /// Whether the operator has asked the agent to read its configuration anew, since the last call.
    public mutating func takeReloadRequest() -> Bool { board.takeReloadRequest() }

    /// Ends the agent with the next step, so that it can be started with another configuration.
    public mutating func endForReload() { plannedEnd.plan(.configured, at: time.now) }
}

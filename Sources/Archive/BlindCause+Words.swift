import EncounterLog

extension BlindCause {
    /// The cause's name for programs, as in docs/archive.md.
    public var name: String {
        switch self {
        case .radioFault: "radioFault"
        case .startingUp: "startingUp"
        case .notRunning: "notRunning"
        case .noClock: "noClock"
        case .logOverwritten: "logOverwritten"
        case .logDamaged: "logDamaged"
        case .logClosed: "logClosed"
        case .beforeRecord: "beforeRecord"
        case .notFetched: "notFetched"
        case .unknown: "unknown"
        }
    }

    /// The cause as text for people: a phrase without an end mark.
    public var words: String {
        switch self {
        case .radioFault(let episode): return "radio: \(episode.words)"
        case .startingUp: return "the agent had started, its radio was not up yet"
        case .notRunning(let lossWindow?) where lossWindow > 0:
            return "the agent was not running, or its last \((lossWindow + 999) / 1_000) s are lost with it"
        case .notRunning: return "the agent was not running"
        case .noClock(let count):
            return "the board did not know the time (\(count) \(count == 1 ? "start" : "starts"))"
        case .logOverwritten: return "the board overwrote its log before it was fetched"
        case .logDamaged: return "pages of the log cannot be read"
        case .logClosed: return "pages of the log are sealed, and not opened yet"
        case .beforeRecord: return "before the record begins"
        case .notFetched: return "not fetched yet"
        case .unknown: return "unknown"
        }
    }
}

extension RadioEpisode {
    /// The episode as text, such as: "no answer to a command (command 0x200c); 2 × controller reset; then
    /// good reports came again"
    public var words: String {
        var text = faults.map(\.words).joined(separator: ", ")
        if let first = faults.first, let detail = first.words(detail: detail) { text += " (\(detail))" }
        if text.isEmpty { text = "a fault that the log does not name" }
        if !rungs.isEmpty { text += "; \(RecoveryRung.words(rungs))" }
        switch outcome {
        case .recovered, .open: return text
        case .takenForQuiet: return text + "; then taken for a quiet room"
        case .gaveUp: return text + "; the agent gave up"
        }
    }
}

import EncounterLog
import FixedMemory

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
    public var text: String {
        switch self {
        case .radioFault(let episode): return "radio: \(episode.text)"
        case .startingUp: return "the agent was starting its radio"
        case .notRunning(let lossWindow?) where lossWindow > .zero:
            return
                "the agent was not running, or lost its last \((lossWindow + .milliseconds(999)).seconds) s"
        case .notRunning: return "the agent was not running"
        case .noClock(let count):
            return "the board had no clock (\(count) \(count == 1 ? "boot" : "boots"))"
        case .logOverwritten: return "the board erased its log before it was fetched"
        case .logDamaged: return "pages of the log are damaged"
        case .logClosed: return "pages of the log are locked (no key at hand)"
        case .beforeRecord: return "before the log begins"
        case .notFetched: return "not fetched yet"
        case .unknown: return "unknown"
        }
    }
}

extension RadioEpisode {
    /// The episode as text, such as: "no answer to a command (command 0x200c); 2 × controller reset; then
    /// good reports came again"
    public var text: String {
        var text = faults.map(\.text).joined(separator: ", ")
        if let first = faults.first, let detail = first.text(detail: detail) { text += " (\(detail))" }
        if text.isEmpty { text = "a fault without a name in the log" }
        if !rungs.isEmpty { text += "; \(RecoveryRung.text(rungs))" }
        switch outcome {
        case .recovered, .open: return text
        case .assumedEmpty: return text + "; then the agent assumed an empty room"
        case .gaveUp: return text + "; the agent gave up"
        }
    }
}

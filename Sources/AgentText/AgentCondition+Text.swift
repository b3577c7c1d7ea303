import Agent
import FixedMemory
import Radio

extension AgentCondition {
    /// Writes one line for the service manager, such as "radio up; the clock is not known".
    public func write<Sink: ByteSink & ~Copyable>(to line: inout Sink) throws(CapacityError) {
        try line.append(radio.sentence)
        if !isLogWritten { try line.append("; the medium refuses the log") }
        if !isClockKnown { try line.append("; the clock is not known") }
    }
}

extension RadioStatus.State {
    fileprivate var sentence: StaticString {
        switch self {
        case .up: "radio up"
        case .recovering: "radio down, recovering"
        case .quiet: "radio up, room assumed empty"
        case .lost: "radio lost"
        case .unused: "not set up"
        }
    }
}

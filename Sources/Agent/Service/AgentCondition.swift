import Radio

/// The agent's condition, for the board's service manager.
public struct AgentCondition: BitwiseCopyable, Equatable, Sendable {
    public let radio: RadioStatus.State
    /// Whether the medium took the log's last write.
    public let isLogWritten: Bool
    /// Whether the wall-clock time is known.
    public let isClockKnown: Bool

    public init(radio: RadioStatus.State, isLogWritten: Bool, isClockKnown: Bool) {
        self.radio = radio
        self.isLogWritten = isLogWritten
        self.isClockKnown = isClockKnown
    }
}

/// Why the agent has ended.
public enum AgentEnding: UInt8, BitwiseCopyable, Equatable, Sendable {
    /// A stop was requested.
    case stopped
    /// The radio was down for too long. The supervisor of the process may start the agent again.
    case radioLost
    /// A client set the configuration, so the agent must be started again.
    case configured
    /// A client has sent another agent, which the launcher is to start.
    case updated
}

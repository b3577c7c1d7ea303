/// Why the agent has ended.
public enum AgentEnding: UInt8, BitwiseCopyable, Equatable, Sendable {
    /// Somebody asked for it.
    case stopped
    /// The radio could not be brought up for too long; whoever started the agent may try again.
    case radioLost
    /// It is to be started anew, with the configuration that was set.
    case configured
}

import EncounterLog
import FixedMemory

/// Why the agent cannot start.
public enum AgentError: Error, BitwiseCopyable, Equatable {
    case memory(MemoryError)
    case log(LogError)
}

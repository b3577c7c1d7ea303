import EncounterLog

/// Why the agent on a board could not start.
public enum BoardStartFailure: Error {
    case configuration(String)
    case log(LogError)
    case memory
}

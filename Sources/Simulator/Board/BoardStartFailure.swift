import EncounterLog

/// The reason why an agent on a board could not start.
public enum BoardStartFailure: Error {
    case configuration(String)
    case log(LogError)
    case memory
}

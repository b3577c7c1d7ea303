import Configuration

/// Why the board does not store what a client has handed over.
public enum StoreRefusal: Equatable, BitwiseCopyable, Sendable {
    case configuration(ConfigurationError)
    /// The bytes are neither a record of day keys nor one of a registration with Sonar.
    case unknownRecord
    case update(UpdateRefusal)
    /// The medium did not take it.
    case notStored
}

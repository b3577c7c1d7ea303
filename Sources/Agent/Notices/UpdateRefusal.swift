/// Why the board does not take an update.
public enum UpdateRefusal: UInt8, Error, BitwiseCopyable, Equatable, Sendable {
    /// Nothing on the board could start it: the agent was not started by the launcher.
    case notLaunched
    /// The present agent is itself an update that has not yet shown that it runs well.
    case onTrial
    /// The file is too long, or shorter than its header.
    case wrongLength
    /// The pieces are not the file that was announced.
    case notAnnounced
    /// The file is not an update, or has a later format.
    case unknownFormat
    case otherArchitecture
    /// It is older than the present agent, and that was not asked for.
    case older
    /// The medium did not take it.
    case notStored
}

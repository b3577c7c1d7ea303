import DeviceSync

/// The result of acknowledging to a board that its log is safely stored, and the reason if it was skipped.
public enum Acknowledgement: Equatable, Sendable {
    case done(SyncPosition)
    /// The board had received the acknowledgement before, from this or another host.
    case doneBefore(SyncPosition)
    case skipped(Reason)

    public enum Reason: Equatable, Sendable {
        /// The board has an earlier version, or no keys.
        case noManifest
        /// Nobody has trusted the board yet.
        case untrusted
        /// The end of the fetched log differs from the board's manifest.
        case differs
        /// All that was fetched lies before pages that do not chain to the end of the log.
        case unchained
        /// The board requires signed commands, and no operator key is available.
        case noOperatorKey
        case refused(SMPRefusal)
        /// The caller asked not to acknowledge.
        case notWanted
    }
}

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
        /// The board presented a different key than before.
        case otherKey
        /// The manifest does not have the board's signature over our nonce, or concerns another log.
        case notItsWord
        /// The end of the fetched log differs from the board's manifest.
        case differs
        /// The board requires signed commands, and no operator key is available.
        case noOperatorKey
        case refused(SMPRefusal)
        /// The caller asked not to acknowledge.
        case notWanted
    }
}

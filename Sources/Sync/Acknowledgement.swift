import DeviceSync

/// Whether the board was told that its log is safe here, and if not, why.
public enum Acknowledgement: Equatable, Sendable {
    case done(SyncPosition)
    /// It was told before, by us or by somebody else.
    case doneBefore(SyncPosition)
    case withheld(Reason)

    public enum Reason: Equatable, Sendable {
        /// A board of an earlier version, or one without keys.
        case noManifest
        /// The board shows another key than it did before.
        case otherKey
        /// What it said is not signed with its key over our nonce, or is of another log.
        case notItsWord
        /// What was fetched does not end as the board says that its log does.
        case differs
        /// It takes this only signed, and we have no key.
        case noOperatorKey
        case refused(SMPRefusal)
        /// The caller did not want it.
        case notWanted
    }
}

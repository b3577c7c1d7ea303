import LogContents

/// The board or the identity that a label describes.
public enum LabelSubject: Hashable, Sendable {
    case board(LogIdentity)
    /// An identity of a device other than the archive's boards.
    case identity(Identity)
}

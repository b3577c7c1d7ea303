/// The Debian architecture of a system on a card.
public enum SystemArchitecture: String, Sendable {
    case arm64
    case armhf
    /// No Raspberry Pi has it, but other boards do.
    case amd64
}

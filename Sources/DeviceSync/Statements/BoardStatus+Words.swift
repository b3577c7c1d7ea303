extension BoardStatus.RadioState {
    /// The state as words for people, which the board and its operator's computer share; nil for a state of a
    /// later version.
    public var words: StaticString? {
        switch self {
        case .up: "up"
        case .recovering: "recovering"
        case .quiet: "up, room assumed empty"
        case .lost: "lost"
        case .unused: "off"
        default: nil
        }
    }
}

extension BoardStatus.IdentityState {
    /// Why a wearable does not advertise, as words for people; nil if its identity does not prevent it, or
    /// for a reason of a later version.
    public var silence: StaticString? {
        switch self {
        case .timeUnknown: "not advertising: no clock"
        case .keyMissing: "not advertising: no key for today"
        default: nil
        }
    }
}

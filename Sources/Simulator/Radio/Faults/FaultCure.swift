/// The action that makes a controller work again once a fault's cause has ended. Each includes the effects
/// of those before it.
public enum FaultCure: UInt8, Comparable, CaseIterable, Sendable {
    /// No action is needed.
    case byItself
    /// Scanning is disabled and enabled again.
    case scanRestart
    /// Scanning and advertising were off at the same time, and one of them is enabled.
    case rolesRestart
    case reset
    /// The transport is closed and opened again.
    case reopen
    /// The controller's power is switched off and on.
    case powerCycle

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

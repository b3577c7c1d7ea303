/// What makes a controller behave again once a fault's cause has gone. Each does what those before it do, too.
public enum FaultCure: UInt8, Comparable, CaseIterable, Sendable {
    /// Nothing has to be done.
    case byItself
    /// Scanning is stopped and started.
    case scanRestart
    /// Scanning and advertising have been off at once, and one is started.
    case rolesRestart
    case reset
    /// The transport is opened anew.
    case reopen
    /// The controller's power is taken away and given back.
    case powerCycle

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

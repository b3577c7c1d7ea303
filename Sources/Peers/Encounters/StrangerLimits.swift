import FixedMemory

/// The limits on log entries of peers that have not given their identity. The rules: docs/crowds.md.
public struct StrangerLimits: BitwiseCopyable, Sendable {
    /// An encounter goes to the log when it has lasted this long.
    public var hold = Interval.seconds(10)
    /// The limit on encounters that end before that, and on other content of these peers.
    public var fleeting = LogAllowance.fleeting
    /// The limit on encounters that last.
    public var lasting = LogAllowance.lasting

    public init() {}

    /// Every encounter goes to the log from its first reading on.
    public static var none: StrangerLimits {
        var limits = StrangerLimits()
        limits.hold = .zero
        limits.fleeting = .unlimited
        limits.lasting = .unlimited
        return limits
    }
}

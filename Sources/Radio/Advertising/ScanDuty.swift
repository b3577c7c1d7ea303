import EncounterLog

/// The share of the time for which the board listens. It costs most of a battery, so a wearable may listen
/// less while it is alone (docs/energy.md).
public struct ScanDuty: BitwiseCopyable, Sendable {
    /// While a peer with a known identity is near.
    public var near: ScanTiming
    /// While none is.
    public var quiet: ScanTiming
    /// While the agent connects to a peer. An attempt is short, and fails if the peer's adverts are missed.
    public var connecting: ScanTiming

    /// Listens for 50 of 60 ms at all times.
    public static let continuous = ScanDuty(
        near: dense, quiet: dense, connecting: dense)
    /// Listens for half of the time while somebody is near, else for a tenth.
    public static let balanced = ScanDuty(
        near: ScanTiming(intervalMilliseconds: 60, windowMilliseconds: 30),
        quiet: ScanTiming(intervalMilliseconds: 300, windowMilliseconds: 30), connecting: dense)
    /// Listens for a fifth of the time while somebody is near, else for a twentieth.
    public static let saver = ScanDuty(
        near: ScanTiming(intervalMilliseconds: 150, windowMilliseconds: 30),
        quiet: ScanTiming(intervalMilliseconds: 600, windowMilliseconds: 30), connecting: dense)

    /// Whether the board listens less while nobody is near.
    public var isAdaptive: Bool { near != quiet }

    private static let dense = ScanTiming(intervalMilliseconds: 60, windowMilliseconds: 50)

    public init(near: ScanTiming, quiet: ScanTiming, connecting: ScanTiming) {
        self.near = near
        self.quiet = quiet
        self.connecting = connecting
    }
}

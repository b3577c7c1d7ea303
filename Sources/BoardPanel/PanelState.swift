import DeviceSync

/// A state of the board that its light shows. If several are true, the first one in this order is shown.
public enum PanelState: UInt8, BitwiseCopyable, Sendable {
    /// The agent does not answer.
    case agentMissing
    /// A client fetches the log.
    case syncing
    /// The radio is down.
    case radioDown
    /// The log loses data: the medium refuses it, or segments were erased before any client fetched them.
    case logLosing
    case notSetUp
    case batteryLow
    case clockUnknown
    /// The board does its work.
    case working
}

/// Follows the agent's status.
public struct PanelWatch: BitwiseCopyable, Sendable {
    private var syncedThrough = SyncPosition()
    /// The number of segments that had been lost when a client last acknowledged the log. The light shows
    /// only later losses.
    private var knownLossCount: UInt32 = 0
    private var bootIdentifier: UInt64 = 0

    public init() {}

    /// - Parameter status: nil if the agent does not answer.
    public mutating func state(of status: BoardStatus?) -> PanelState {
        guard let status else { return .agentMissing }
        if status.bootIdentifier != bootIdentifier {
            // The agent counts from its start.
            bootIdentifier = status.bootIdentifier
            syncedThrough = status.syncedThrough
            knownLossCount = 0
        }
        if status.syncedThrough != syncedThrough {
            syncedThrough = status.syncedThrough
            knownLossCount = status.lostSegmentCount
        }
        if status.isSyncing { return .syncing }
        if status.radioState == .recovering || status.radioState == .lost { return .radioDown }
        if status.takesPages == false || status.lostSegmentCount > knownLossCount { return .logLosing }
        if status.radioState == .unused { return .notSetUp }
        if status.battery?.isLow == true { return .batteryLow }
        return status.wallClock == nil ? .clockUnknown : .working
    }
}

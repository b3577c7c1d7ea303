import FixedMemory
import HCI

/// Whether the controller connects at all. A refusal may be about one peer. Refusals of several peers without
/// any success between them are about the controller, which only a reset may cure.
struct ConnectingRole: BitwiseCopyable {
    private static let firstPause = Interval.minutes(1)
    private static let longestPause = Interval.hours(4)

    private var latest: RoleRefusal?
    private var firstPeer: DeviceAddress?
    private var areSeveral = false
    /// How long refusals must last before they count once more. A controller that cannot connect must not be
    /// reset all the time.
    private var pause = Interval.zero
    /// The controller may still be busy with an attempt that it seemed to have ended.
    private var mustCancel = false

    /// The controller has accepted an attempt.
    mutating func accept() { self = ConnectingRole() }

    mutating func recordRefusal(_ opCode: OpCode, _ status: Status, of peer: DeviceAddress, now: Instant) {
        RoleRefusal.record(opCode, status, in: &latest, now: now)
        if let firstPeer, firstPeer != peer { areSeveral = true }
        firstPeer = firstPeer ?? peer
        mustCancel = status == .commandDisallowed
    }

    /// Whether LE Create Connection Cancel is due. It counts as sent.
    mutating func takeCancellation() -> Bool {
        defer { mustCancel = false }
        return mustCancel
    }

    /// The refusal that counts as a fault of the controller; nil if there is none.
    func refusal(now: Instant) -> RoleRefusal? {
        guard areSeveral, let latest, now >= latest.since + pause else { return nil }
        return latest
    }

    /// The controller is reset. If it still refuses, the next reset comes after a longer pause.
    mutating func reset() {
        let next = areSeveral ? min(max(pause * 4, Self.firstPause), Self.longestPause) : pause
        self = ConnectingRole()
        pause = next
    }
}

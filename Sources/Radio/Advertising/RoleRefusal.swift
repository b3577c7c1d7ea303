import FixedMemory
import HCI

/// A refusal to scan or to advertise that is left when everything that may be adapted has been.
package struct RoleRefusal: BitwiseCopyable, Sendable {
    /// The command that the controller refused last, and its answer.
    package private(set) var opCode: OpCode
    package private(set) var status: Status
    /// When the controller first refused.
    let since: Instant

    /// Records one more refusal. The role has been refused since the first one.
    static func record(_ opCode: OpCode, _ status: Status, in refusal: inout RoleRefusal?, now: Instant) {
        var latest = refusal ?? RoleRefusal(opCode: opCode, status: status, since: now)
        latest.opCode = opCode
        latest.status = status
        refusal = latest
    }
}

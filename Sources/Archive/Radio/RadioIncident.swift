import EncounterLog
import FixedMemory

/// A radio fault or a recovery step, as logged by the board.
public struct RadioIncident: Sendable, Equatable {
    public var instant: Instant
    public var event: RadioEvent
    public var fault: RadioFaultKind
    public var rung: RecoveryRung
    /// The detail that the fault kind leaves open: a command's opcode, the controller's code or an error
    /// number; otherwise 0.
    public var detail: UInt32

    public init(
        instant: Instant, event: RadioEvent, fault: RadioFaultKind, rung: RecoveryRung,
        detail: UInt32 = 0
    ) {
        self.instant = instant
        self.event = event
        self.fault = fault
        self.rung = rung
        self.detail = detail
    }
}

import EncounterLog

/// Something that befell a board's radio, or was done about it, as the log tells it.
public struct RadioIncident: Sendable, Equatable {
    public var monotonicMilliseconds: Int64
    public var event: RadioEvent
    public var fault: RadioFaultKind
    public var rung: RecoveryRung
    /// What the fault's kind leaves open: a command's opcode, the controller's code, an error number; else 0.
    public var detail: UInt32

    public init(
        monotonicMilliseconds: Int64, event: RadioEvent, fault: RadioFaultKind, rung: RecoveryRung,
        detail: UInt32 = 0
    ) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.event = event
        self.fault = fault
        self.rung = rung
        self.detail = detail
    }
}

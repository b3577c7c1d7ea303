import EncounterLog

/// An event of the radio that the board's operator should know about.
public enum RadioNotice: Equatable, BitwiseCopyable, Sendable {
    case up(RadioUpNotice)
    /// The board takes a rung of the recovery ladder because of a fault.
    case recovery(RadioFault, RecoveryRung)
    /// The controller obeys every command and reports no peer: the board assumes that the room is empty.
    case emptyRoomAssumed
    /// The room was assumed empty for long: the board resets the controller, which may be deaf.
    case emptyRoomRechecked
    /// The board could not give the controller its power back.
    case powerNotRestored
}

import FixedMemory
import HCI

/// The controller behind HCI: how far it is brought up, the one command that waits for its answer, and the
/// credits for ACL data.
struct HostController {
    private(set) var state = RadioController.State.bringingUp
    /// The controller does not know an extended command that it claims to know. No extended command is sent
    /// any more.
    private(set) var hasFalseCommands = false
    private var bringUp: ControllerBringUp
    private var slot = CommandSlot()
    private var aclCredits = 0
    /// The link for which Disconnect was sent and not answered yet.
    private var disconnecting: ConnectionHandle?

    init(address: DeviceAddress, _ settings: RadioSettings) {
        bringUp = ControllerBringUp(address: address, settings)
    }

    var information: ControllerInformation { bringUp.information }
    var isCommandPending: Bool { slot.pending != nil }
    var canSendCommand: Bool { state != .halted && slot.canSend }
    var canSendData: Bool { state == .running && aclCredits > 0 }
    /// The next command of the bring-up.
    var bringUpCommand: Command? { bringUp.command }

    /// Leaves the controller alone.
    mutating func halt(address: DeviceAddress, _ settings: RadioSettings) {
        state = .halted
        bringUp = ControllerBringUp(address: address, settings)
        slot = CommandSlot()
        disconnecting = nil
        aclCredits = 0
    }

    /// Brings the halted controller up, beginning with a reset.
    mutating func restart() { state = .bringingUp }

    /// Takes the answer to a command of the bring-up.
    /// - Returns: whether the bring-up is complete.
    mutating func takeBringUpAnswer(_ returned: Span<UInt8>) throws(BringUpError) -> Bool {
        try bringUp.accept(returned)
        guard bringUp.isComplete else { return false }
        state = .running
        aclCredits = information.aclPacketCount
        return true
    }

    mutating func recordFalseCommands() { hasFalseCommands = true }

    // MARK: Commands

    /// The command whose answer is overdue.
    func overdueCommand(now: Instant) -> OpCode? { slot.overdue(at: now) }

    mutating func didSend(_ opCode: OpCode, now: Instant) {
        slot.didSend(opCode, at: now)
    }

    /// - Returns: false if no such command waits for an answer, or the answer is not final.
    mutating func didReceiveAnswer(to opCode: OpCode, credits: UInt8, isFinal: Bool, now: Instant) -> Bool {
        slot.didReceiveAnswer(to: opCode, credits: credits, isFinal: isFinal, at: now)
    }

    mutating func didSendDisconnect(_ handle: ConnectionHandle) { disconnecting = handle }

    /// The link whose Disconnect has been answered.
    mutating func takeDisconnecting() -> ConnectionHandle? {
        defer { disconnecting = nil }
        return disconnecting
    }

    // MARK: Data

    mutating func didSendData() { aclCredits -= 1 }

    /// Gives back credits, never more than the controller has buffers.
    mutating func returnCredits(_ count: Int) {
        aclCredits = min(aclCredits + count, information.aclPacketCount)
    }
}

extension ControllerBringUp {
    fileprivate init(address: DeviceAddress, _ settings: RadioSettings) {
        self.init(
            randomAddress: address, publicAddressUse: settings.publicAddressUse,
            lowEnergyEventMask: settings.lowEnergyEventMask)
    }
}

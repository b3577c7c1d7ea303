import FixedMemory
import HCI

/// The controller behind HCI: how far it is brought up, the one command that waits for its answer, and the
/// credits for ACL data.
struct HostController {
    private static var firstRestartPause: Interval { .minutes(10) }
    private static var longestRestartPause: Interval { .hours(4) }

    private(set) var state = RadioController.State.bringingUp
    /// The controller does not know an extended command that it claims to know. No extended command is sent
    /// any more.
    private(set) var hasFalseCommands = false
    private var bringUp: ControllerBringUp
    private var slot = CommandSlot()
    private var aclCredits = 0
    /// The agent reads the controller's address soon. A changed address shows that the controller has started
    /// anew, perhaps without its firmware patch.
    var checksAddress = false
    /// Before this time a NOP does not count as a restart of the controller.
    private var nextRestart = Instant.start
    private var restartPause = Self.firstRestartPause
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
        checksAddress = false
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

    /// Whether a NOP has come although the host waits for nothing. Otherwise it only grants credits.
    func isUnexpectedNop(_ opCode: OpCode) -> Bool {
        opCode == .none && state == .running && slot.canSend
    }

    /// Takes such a NOP. A controller that has just started sends one. For one that sends them at other times
    /// as well, they count ever more rarely: the next renewal tells it everything again in any case.
    /// - Returns: whether the NOP counts as a restart of the controller.
    mutating func takeRestart(credits: UInt8, now: Instant) -> Bool {
        _ = slot.didReceiveAnswer(to: .none, credits: credits, at: now)
        guard now >= nextRestart else { return false }
        nextRestart = now + restartPause
        restartPause = min(restartPause * 2, Self.longestRestartPause)
        return true
    }

    /// Whether an answer to Read BD_ADDR has another address than at the bring-up.
    func hasOtherAddress(_ returned: Span<UInt8>) -> Bool {
        guard !information.isIncomplete, returned.count >= 7, returned[0] == Status.success.rawValue else {
            return false
        }
        return returned.loadUInt48(at: 1) != information.publicAddress.value
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

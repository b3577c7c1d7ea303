import FixedMemory
import HCI
import Protocols

/// Advertising in the first set: the commands that were sent, the controller's answers, and the next command.
///
/// A controller refuses parameters and addresses (0x0C) while it advertises, so the order is always stop,
/// set, start. Only the data may change while adverts go out, where the controller allows it.
package struct Advertiser: BitwiseCopyable, Sendable {
    enum Step: BitwiseCopyable, Equatable {
        case parameters(AdvertisingType)
        /// The advertising set has an address of its own (extended commands).
        case address(DeviceAddress)
        case data(AdvertisingSlot)
        case start, stop
    }

    /// How long the agent relies on advertising before it stops it and sets it up again. A controller may
    /// have stopped it without an event.
    private static let recheckInterval = Interval.seconds(30)

    package private(set) var isAdvertising = false
    /// The address that the advertising set has in the controller; nil if it has none, or the set is new.
    private var setAddress: DeviceAddress?
    package private(set) var refusal: RoleRefusal?
    /// Advertising must be stopped before anything else, whether the agent believes that it is on or not.
    private var mustStop = false
    /// When to set advertising up again.
    private(set) var confirmation = Instant.start
    /// The content that the controller has; nil if it has none.
    private var slot: AdvertisingSlot?
    /// The controller accepts new data only while it does not advertise.
    private var takesDataOffOnly = false
    /// The type whose parameters the controller has; nil if it has none, or may have forgotten them. They are
    /// sent before each start, because a controller that has restarted would advertise under its public
    /// address, with the default parameters.
    private var type: AdvertisingType?
    /// The controller has no peripheral role: it does not know the commands.
    package private(set) var cannotAdvertise = false
    /// The smallest number of links with which the controller has refused connectable advertising.
    private(set) var refusedLinkCount = Int.max

    /// Whether the controller takes connections beside `count` links, as far as is known.
    func isConnectable(besideLinks count: Int) -> Bool { count < refusedLinkCount }

    /// Stops advertising and sets it up again.
    mutating func restart() {
        mustStop = true
        type = nil
        setAddress = nil
        slot = nil
    }

    /// Does the same, if the agent believes that it advertises.
    mutating func renew() {
        let mustStop = mustStop || isAdvertising
        restart()
        self.mustStop = mustStop
    }

    /// Stops advertising before the next command.
    mutating func stopFirst() { mustStop = true }

    // MARK: Steps

    /// - Parameter isWanted: whether the plan advertises, and the address stays.
    func mustStop(isWanted: Bool, for plan: AirSchedule.Plan) -> Bool {
        mustStop
            || isAdvertising
                && (!isWanted || type != plan.advertisingType || takesDataOffOnly && slot != plan.slot)
    }

    /// The next step while advertising is off.
    ///
    /// - Parameter address: the board's address; the set must have it too if it is random.
    func nextStart(
        for plan: AirSchedule.Plan, _ commands: CommandFamily, address: DeviceAddress
    ) -> Step {
        if type != plan.advertisingType { return .parameters(plan.advertisingType) }
        if commands == .extended, address.isRandom, setAddress != address { return .address(address) }
        return slot == plan.slot ? .start : .data(plan.slot)
    }

    /// The next step while advertising is on; nil if everything is as planned.
    func nextChange(for plan: AirSchedule.Plan, now: Instant) -> Step? {
        if slot != plan.slot { return .data(plan.slot) }
        return now >= confirmation ? .stop : nil
    }

    func command(
        for step: Step, _ commands: CommandFamily, _ settings: RadioSettings, under own: DeviceAddress
    ) -> Command {
        switch step {
        case .parameters(let type): commands.setAdvertisingParameters(type, settings, under: own)
        case .address(let address): .leSetAdvertisingSetRandomAddress(address)
        case .data(let slot): commands.setAdvertisingData(slot, settings)
        case .start: commands.setAdvertisingEnable(true)
        case .stop: commands.setAdvertisingEnable(false)
        }
    }

    // MARK: Answers

    /// Processes the answer to the command for `step`.
    mutating func didReceiveAnswer(
        to step: Step, _ opCode: OpCode, _ status: Status, linkCount: Int, isScanning: Bool, now: Instant
    ) -> RoleOutcome {
        if status == .unknownCommand || isUnsupported(step, status) {
            renounce()
            return .proceeds
        }
        let isDone = status == .success
        let isDisallowed = status == .commandDisallowed
        switch step {
        // A controller may refuse a second "disable". Advertising is off in either case.
        case .stop:
            isAdvertising = false
            mustStop = false
            type = nil
            return .proceeds
        case .start:
            isAdvertising = isDone
            confirmation = now + Self.recheckInterval
            if isDone {
                // Exposure Notification's adverts go out while the board's own address is refused.
                if slot?.exposure == nil || refusal?.opCode != .leSetRandomAddress { refusal = nil }
                return .proceeds
            }
            // Some controllers take no connection beside one, others only a few; they answer with either
            // status.
            let isFull = linkCount > 0 && (isDisallowed || status == .connectionLimitExceeded)
            if isFull, type == .connectable {
                refusedLinkCount = min(refusedLinkCount, linkCount)
                return .proceeds
            }
            type = nil
            if isDisallowed, isScanning {
                // The scan was the reason, and not the links.
                refusedLinkCount = .max
                return .excludesOther
            }
        case .parameters(let new):
            type = isDone ? new : nil
            if isDone { return .proceeds }
            if isDisallowed { mustStop = true }
        case .address(let new):
            setAddress = isDone ? new : nil
            if isDone { return .proceeds }
            if isDisallowed { mustStop = true }
            // The controller does not have the set, so the agent creates it again.
            type = nil
        case .data(let new):
            slot = isDone ? new : nil
            if isDone {
                forgetRefusal(of: opCode)
                return .proceeds
            }
            if isDisallowed, isAdvertising {
                takesDataOffOnly = true
                return .proceeds
            }
        }
        recordRefusal(of: opCode, status, now: now)
        return .refused
    }

    mutating func recordRefusal(of opCode: OpCode, _ status: Status, now: Instant) {
        RoleRefusal.record(opCode, status, in: &refusal, now: now)
    }

    /// The controller has accepted `opCode`, so an earlier refusal of it is over.
    mutating func forgetRefusal(of opCode: OpCode) {
        if refusal?.opCode == opCode { refusal = nil }
    }

    /// Connectable advertising ends by itself when a peer connects; of several sets, the one that it
    /// connected to.
    mutating func didAcceptConnection(_ commands: CommandFamily) {
        isAdvertising = false
        type = nil
        if commands == .extended { mustStop = true }
    }

    /// "Unsupported" may also concern a value, but connectable advertising has no milder kind to try.
    private func isUnsupported(_ step: Step, _ status: Status) -> Bool {
        guard status == .unsupportedFeature else { return false }
        return step == .parameters(.connectable) || step == .start && type == .connectable
    }

    /// Gives advertising up until the next reset.
    private mutating func renounce() {
        cannotAdvertise = true
        isAdvertising = false
        mustStop = false
        refusal = nil
    }
}

import EncounterLog
import FixedMemory
import HCI
import Protocols

/// The shared use of the controller's radio for scanning and advertising, under one address. It finds the
/// one command that brings the controller nearer to the plan.
///
/// Scanning and advertising stop while the address changes and while a connection is being made, because
/// some controllers otherwise hang.
package struct AirSchedule: BitwiseCopyable, Sendable {
    /// Whether the controller scans and advertises at the same time. Its own claim (LE Read Supported States)
    /// is not reliable, so the agent tries it, and remembers a refusal until the next reset.
    package enum Sharing: UInt8, BitwiseCopyable { case together, timeMultiplexed }

    package struct Plan: BitwiseCopyable {
        var scans: Bool
        /// When the controller listens while it scans. The scan stops while it changes.
        var timing: ScanTiming
        var advertises: Bool
        var advertisingType: AdvertisingType
        /// The content of the adverts. It may change while they go out.
        var slot: AdvertisingSlot
        /// The board's address. Scanning and advertising stop while it changes, so that nothing is sent
        /// half under one address and half under another.
        var address: DeviceAddress
    }

    /// One command. It is remembered until the answer, because the plan may be another by then.
    private enum Step: BitwiseCopyable {
        case eventMask, lowEnergyEventMask
        case address(DeviceAddress)
        case scan(Scanner.Step)
        case advertising(Advertiser.Step)
    }

    /// A time-multiplexed controller scans this long, then advertises this long. Both times are far below the
    /// 30 s of HP-C24.
    static let scanLength = Interval.seconds(2)
    static let advertisingLength = Interval.seconds(1)
    /// After an unexpected refusal, nothing is started for this long.
    private static let refusalPause = Interval.seconds(1)

    /// Set when the controller is known, before the first command.
    var commands = CommandFamily.legacy
    /// The board's address, as the controller has it.
    private(set) var address: DeviceAddress
    package private(set) var sharing = Sharing.together
    package var scanner = Scanner()
    package private(set) var advertiser = Advertiser()
    private var asked: (step: Step, opCode: OpCode)?
    /// The rest of a renewal, beside both roles.
    private var untold = (eventMask: false, lowEnergyEventMask: false, address: false)
    /// After an unexpected refusal, nothing is started before this time.
    private var pausedUntil = Instant.start

    /// - Parameter address: the address with which the controller was brought up.
    init(address: DeviceAddress) { self.address = address }

    /// Begins again with another address, before the first command.
    mutating func begin(with address: DeviceAddress) { self.address = address }

    package var isAnyOn: Bool { scanner.isScanning || advertiser.isAdvertising }

    /// The refusal of the role that has been refused for longest.
    package var refusal: RoleRefusal? {
        guard let scan = scanner.refusal, let advertising = advertiser.refusal else {
            return scanner.refusal ?? advertiser.refusal
        }
        return scan.since <= advertising.since ? scan : advertising
    }

    /// Whether no renewal is in progress.
    var hasToldAll: Bool { !untold.eventMask && !untold.lowEnergyEventMask && !untold.address }

    /// Stops both roles and sets them up again.
    package mutating func restart() {
        scanner.restartWithProof()
        advertiser.restart()
        pausedUntil = .start
    }

    /// Tells the controller again what it may have forgotten: event masks, advertising parameters and data,
    /// the scan, the address.
    /// - Parameters:
    ///   - tellsScan: false while reports show that the controller scans, and so has its address.
    ///   - tellsAddress: false while there are links, beside which some controllers keep their address, and
    ///     nothing shows that the controller has forgotten it.
    mutating func renew(tellsScan: Bool, tellsAddress: Bool) {
        if tellsScan { scanner.renew() }
        advertiser.renew()
        untold = (true, true, tellsScan && tellsAddress && address.isRandom)
    }

    /// The part of `plan` that is due now.
    func due(_ plan: Plan, now: Instant) -> Plan {
        guard sharing == .timeMultiplexed, plan.scans, plan.advertises else { return plan }
        var due = plan
        let place = now % (Self.scanLength + Self.advertisingLength)
        due.scans = place < Self.scanLength
        due.advertises = !due.scans
        return due
    }

    // MARK: Commands

    /// The next command towards `plan`, to be sent now; nil if the plan is reached, or waits.
    mutating func nextCommand(towards plan: Plan, settings: RadioSettings, now: Instant) -> Command? {
        asked = nil
        guard let step = nextStep(towards: plan, now: now) else { return nil }
        let command: Command =
            switch step {
            case .eventMask: .setEventMask(EventMask.general)
            case .lowEnergyEventMask: .leSetEventMask(settings.lowEnergyEventMask)
            case .address(let address): .leSetRandomAddress(address)
            case .scan(let step):
                scanner.command(
                    for: step, commands, timing: plan.timing, under: address, now: now)
            case .advertising(let step): advertiser.command(for: step, commands, settings, under: address)
            }
        asked = (step, command.opCode)
        return command
    }

    private func nextStep(towards plan: Plan, now: Instant) -> Step? {
        // A controller that is connecting keeps its address.
        let isMoving =
            address != plan.address || untold.address && (plan.scans || plan.advertises)
        if scanner.mustStop(isWanted: plan.scans && !isMoving, timing: plan.timing) { return .scan(.stop) }
        if advertiser.mustStop(isWanted: plan.advertises && !isMoving, for: plan) {
            return .advertising(.stop)
        }
        guard now >= pausedUntil else { return nil }
        if untold.eventMask { return .eventMask }
        if untold.lowEnergyEventMask { return .lowEnergyEventMask }
        if isMoving { return .address(plan.address) }
        if plan.advertises, !advertiser.isAdvertising {
            return .advertising(advertiser.nextStart(for: plan, commands, address: address))
        }
        if plan.scans, !scanner.isScanning { return .scan(scanner.nextStart(timing: plan.timing)) }
        if scanner.proof.isWanted, scanner.isSurelyScanning { return .scan(.proof) }
        guard advertiser.isAdvertising else { return nil }
        return advertiser.nextChange(for: plan, now: now).map { .advertising($0) }
    }

    /// When the next command is due if none is due now and the plan stays; `.distantFuture` if never. Nil if
    /// the controller is time-multiplexed, because then the plan changes with the time.
    func nextCommandDue(after now: Instant) -> Instant? {
        guard sharing == .together else { return nil }
        let confirmation = advertiser.isAdvertising ? advertiser.confirmation : .distantFuture
        return now < pausedUntil ? min(pausedUntil, confirmation) : confirmation
    }

    // MARK: Answers

    /// Processes the answer to the last command.
    /// - Returns: false if it is the answer to another command.
    mutating func didReceiveAnswer(to opCode: OpCode, _ status: Status, linkCount: Int, now: Instant) -> Bool
    {
        guard let step = asked?.step, asked?.opCode == opCode else { return false }
        asked = nil
        let outcome =
            switch step {
            // A mask that the controller refuses now is the one that it has.
            case .eventMask, .lowEnergyEventMask: didTellMask(isLowEnergy: opCode == .leSetEventMask)
            case .address(let new): didSetAddress(new, status, now: now)
            case .scan(let step):
                scanner.didReceiveAnswer(
                    to: step, opCode, status, isAdvertising: advertiser.isAdvertising, now: now)
            case .advertising(let step):
                advertiser.didReceiveAnswer(
                    to: step, opCode, status, linkCount: linkCount, isScanning: scanner.isScanning, now: now)
            }
        switch outcome {
        case .proceeds: break
        case .excludesOther: sharing = .timeMultiplexed
        case .refused:
            pausedUntil = now + Self.refusalPause
            // The controller may have forgotten its address.
            if status == .invalidParameters { untold = (true, true, address.isRandom) }
        case .lost: renew(tellsScan: true, tellsAddress: true)
        }
        return true
    }

    private mutating func didTellMask(isLowEnergy: Bool) -> RoleOutcome {
        if isLowEnergy { untold.lowEnergyEventMask = false } else { untold.eventMask = false }
        return .proceeds
    }

    private mutating func didSetAddress(_ new: DeviceAddress, _ status: Status, now: Instant) -> RoleOutcome {
        guard status == .success else {
            // One role is on although the agent believes that it is off.
            if status == .commandDisallowed {
                scanner.stopFirst()
                advertiser.stopFirst()
            }
            advertiser.recordRefusal(of: .leSetRandomAddress, status, now: now)
            return .refused
        }
        address = new
        untold.address = false
        advertiser.forgetRefusal(of: .leSetRandomAddress)
        return .proceeds
    }

    /// A peer has connected, which ends advertising. With some controllers it ends the scan too, without an
    /// event, so both are started again.
    mutating func didAcceptConnection() {
        advertiser.didAcceptConnection(commands)
        if scanner.isScanning { scanner.restart() }
    }
}

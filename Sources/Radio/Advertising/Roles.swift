import HCI
import Protocols
import Schemes

/// What the controller is doing, and the one command that brings it nearer to what it should do.
///
/// Nothing is ever changed while it is in use: parameters, data and addresses are refused (0x0C) while scanning or
/// advertising, so the order is always stop, set, start. Scanning and advertising stop while a connection is being
/// made, for some controllers wedge otherwise.
package struct Roles: BitwiseCopyable, Sendable {
    /// Whether the controller does both at once. Its own word (LE Read Supported States) is not to be trusted, so
    /// it is tried, and a refusal remembered until the next reset.
    package enum Sharing: UInt8, BitwiseCopyable { case together, timeMultiplexed }

    package struct Plan: BitwiseCopyable {
        var scans: Bool
        var advertises: Bool
        var advertisingType: AdvertisingType
        /// What adverts say. It may change while they go out.
        var turn: AdvertisingSlot
        /// Our own. Both roles stop while it changes, so nothing is ever sent half under one and half under another.
        var address: DeviceAddress
    }

    /// One command, remembered until it is answered: by then the plan may be another.
    private enum Step: BitwiseCopyable, Equatable {
        case address(DeviceAddress)
        case scanParameters
        case scan(Bool)
        case advertisingParameters(AdvertisingType)
        /// Of the extended commands: the advertising set has an address of its own.
        case advertisingAddress(DeviceAddress)
        case advertisingData(AdvertisingSlot)
        case advertising(Bool)
        /// It should be on. A controller that has stopped by itself and did not tell starts again.
        case advertisingAgain

        var isOfScan: Bool {
            switch self {
            case .scanParameters, .scan: true
            case .address, .advertisingParameters, .advertisingAddress, .advertisingData, .advertising,
                .advertisingAgain:
                false
            }
        }

        var isOfAdvertising: Bool {
            if case .address = self { return false }
            return !isOfScan
        }
    }

    /// A role that the controller refuses, though all that may be adapted has been.
    package struct Refusal: BitwiseCopyable {
        var opCode: OpCode
        var status: Status
        let sinceMilliseconds: UInt64
    }

    /// To be set once the controller is known, before the first command.
    var commands = CommandFamily.legacy
    /// Our own address, as the controller has it.
    private(set) var address: DeviceAddress
    /// The advertising set's; nil where it has none yet, or a new one is to be told.
    private var advertisingAddress: DeviceAddress?
    package private(set) var isScanning = false
    private(set) var isAdvertising = false
    package var isAnyOn: Bool { isScanning || isAdvertising }
    /// It scans, and has not been told to stop: a controller may tell late that it has.
    package var isSurelyScanning: Bool { isScanning && stopAskedMilliseconds == nil }
    /// It was last told to start, and has not refused: whether it has said so or not, what is heard from then on tells that
    /// it scans.
    private(set) var isScanAsked = false
    /// When it was told to stop scanning, until it answers; and when it was last told to start.
    private(set) var stopAskedMilliseconds: UInt64?
    /// When it was last told to stop.
    private(set) var lastStopMilliseconds: UInt64 = 0
    package private(set) var startAskedMilliseconds: UInt64 = 0
    /// Since when it scans, but for pauses as short as a change of address takes.
    package private(set) var scanningSinceMilliseconds: UInt64 = 0
    private var pausedMilliseconds: UInt64?
    private static let shortPauseMilliseconds: UInt64 = 250
    package private(set) var sharing = Sharing.together
    /// How often the scan was started.
    package private(set) var scanStarts: UInt32 = 0
    /// With so many links the controller has refused to take one more, or with more than so many.
    private(set) var refusedLinkCount = Int.max
    /// The controller has no peripheral role: commands for it are unknown there.
    package private(set) var cannotAdvertise = false
    private var refusedScan: Refusal?
    private var refusedAdvertising: Refusal?
    private var asked: (step: Step, opCode: OpCode)?
    /// To be stopped first, whatever we believe it is doing.
    private var mustStopScan = false
    private var mustStopAdvertising = false
    private var confirmAdvertisingMilliseconds: UInt64 = 0
    private var hasScanParameters = false
    /// What the controller has been told to say; nil: nothing yet.
    private var turn: AdvertisingSlot?
    /// The controller takes other data only while it does not advertise.
    private var takesDataOffOnly = false
    private var advertisingType: AdvertisingType?
    /// After an unexpected refusal, nothing is started before this time.
    private var pausedUntilMilliseconds: UInt64 = 0

    /// By turns: this long scanning, then this long advertising. Well within HP-C24's 30 s.
    static let scanTurnMilliseconds: UInt64 = 2_000
    static let advertisingTurnMilliseconds: UInt64 = 1_000
    /// How long advertising is believed to go on before it is switched on once more.
    private static let advertisingTrustMilliseconds: UInt64 = 30_000

    /// `address`: the one that the controller was brought up with.
    init(address: DeviceAddress) { self.address = address }

    /// The role that has been refused for longest.
    package var refusal: Refusal? {
        guard let scan = refusedScan, let advertising = refusedAdvertising else {
            return refusedScan ?? refusedAdvertising
        }
        return scan.sinceMilliseconds <= advertising.sinceMilliseconds ? scan : advertising
    }

    /// Stops the scan and sets it up anew.
    package mutating func restartScan() {
        mustStopScan = true
        hasScanParameters = false
    }

    package mutating func restartBoth() {
        restartScan()
        mustStopAdvertising = true
        advertisingType = nil
        advertisingAddress = nil
        turn = nil
        pausedUntilMilliseconds = 0
    }

    /// Whether the controller takes connections beside so many links, as far as is known.
    func isConnectable(besideLinks count: Int) -> Bool { count < refusedLinkCount }

    /// The part of `plan` that is due now.
    func due(_ plan: Plan, nowMilliseconds now: UInt64) -> Plan {
        guard sharing == .timeMultiplexed, plan.scans, plan.advertises else { return plan }
        var due = plan
        let place = now % (Self.scanTurnMilliseconds + Self.advertisingTurnMilliseconds)
        due.scans = place < Self.scanTurnMilliseconds
        due.advertises = !due.scans
        return due
    }

    /// The next command towards `plan`, to be sent now; nil when the plan is reached, or waits.
    mutating func nextCommand(
        towards plan: Plan, settings: RadioSettings, nowMilliseconds now: UInt64
    ) -> Command? {
        asked = nil
        guard let step = nextStep(towards: plan, nowMilliseconds: now) else { return nil }
        let command = command(for: step, settings, nowMilliseconds: now)
        asked = (step, command.opCode)
        return command
    }

    private mutating func command(
        for step: Step, _ settings: RadioSettings, nowMilliseconds now: UInt64
    ) -> Command {
        switch step {
        case .address(let address): return .leSetRandomAddress(address)
        case .scanParameters:
            return commands.setScanParameters(settings)
        case .scan(let isOn):
            isScanAsked = isOn
            if isOn {
                startAskedMilliseconds = now
                let isBack = pausedMilliseconds.map { now <= $0 + Self.shortPauseMilliseconds } ?? false
                if !isBack { scanningSinceMilliseconds = now }
            } else {
                pausedMilliseconds = mustStopScan ? nil : now
                mustStopScan = true
                stopAskedMilliseconds = now
                if isScanning { lastStopMilliseconds = now }
            }
            return commands.setScanEnable(isOn)
        case .advertisingParameters(let type):
            return commands.setAdvertisingParameters(type, settings)
        case .advertisingAddress(let address): return .leSetAdvertisingSetRandomAddress(address)
        case .advertisingData(let turn): return commands.setAdvertisingData(turn, settings)
        case .advertising(let isOn): return commands.setAdvertisingEnable(isOn)
        case .advertisingAgain: return commands.setAdvertisingEnable(true)
        }
    }

    private func nextStep(towards plan: Plan, nowMilliseconds now: UInt64) -> Step? {
        let isMoving = address != plan.address
        if mustStopScan || isScanning && (!plan.scans || isMoving) { return .scan(false) }
        if mustStopAdvertising
            || isAdvertising
                && (!plan.advertises || isMoving || advertisingType != plan.advertisingType
                    || takesDataOffOnly && turn != plan.turn)
        {
            return .advertising(false)
        }
        guard now >= pausedUntilMilliseconds else { return nil }
        if isMoving { return .address(plan.address) }
        if plan.advertises, !isAdvertising {
            if advertisingType != plan.advertisingType { return .advertisingParameters(plan.advertisingType) }
            if commands == .extended, advertisingAddress != address { return .advertisingAddress(address) }
            return turn == plan.turn ? .advertising(true) : .advertisingData(plan.turn)
        }
        if plan.scans, !isScanning { return hasScanParameters ? .scan(true) : .scanParameters }
        if isAdvertising, turn != plan.turn { return .advertisingData(plan.turn) }
        if isAdvertising, now >= confirmAdvertisingMilliseconds { return .advertisingAgain }
        return nil
    }

    /// Notes the answer to the command asked for last. Returns false where it is the answer to another.
    mutating func noteAnswer(
        to opCode: OpCode, _ status: Status, linkCount: Int, nowMilliseconds now: UInt64
    ) -> Bool {
        guard let step = asked?.step, asked?.opCode == opCode else { return false }
        asked = nil
        if step.isOfAdvertising, status == .unknownCommand || isNever(step, status) {
            renounceAdvertising()
            return true
        }
        let isDone = status == .success
        let isDisallowed = status == .commandDisallowed
        // Some take no connection beside one, some but a few: they say either.
        let isFull = linkCount > 0 && (isDisallowed || status == .connectionLimitExceeded)
        switch step {
        case .address(let new): noteMove(to: new, status, nowMilliseconds: now)
        // A second "disable" may be refused; either way it is off.
        case .scan(false):
            isScanning = false
            mustStopScan = false
            stopAskedMilliseconds = nil
        case .advertising(false):
            isAdvertising = false
            mustStopAdvertising = false
        case .scan(true):
            isScanning = isDone
            isScanAsked = isDone
            if isDone {
                scanStarts &+= 1
                refusedScan = nil
            } else if isDisallowed, isAdvertising {
                sharing = .timeMultiplexed
            } else {
                hasScanParameters = false
                noteRefusal(of: step, opCode, status, nowMilliseconds: now)
            }
        case .advertising(true), .advertisingAgain:
            isAdvertising = isDone
            confirmAdvertisingMilliseconds = now + Self.advertisingTrustMilliseconds
            if isDone {
                refusedAdvertising = nil
            } else if step == .advertisingAgain {
                // Refused because it is on, or for another reason: off and on will tell.
                mustStopAdvertising = true
            } else if isFull, advertisingType == .connectable {
                refusedLinkCount = min(refusedLinkCount, linkCount)
            } else if isDisallowed, isScanning {
                sharing = .timeMultiplexed
                // That was why, and not the links.
                refusedLinkCount = .max
            } else {
                advertisingType = nil
                noteRefusal(of: step, opCode, status, nowMilliseconds: now)
            }
        case .scanParameters:
            hasScanParameters = isDone
            // Refused because it is in use: then it is on, and is to be stopped first.
            if isDisallowed { mustStopScan = true }
            if !isDone { noteRefusal(of: step, opCode, status, nowMilliseconds: now) }
        case .advertisingParameters(let type):
            advertisingType = isDone ? type : nil
            if isDisallowed { mustStopAdvertising = true }
            if !isDone { noteRefusal(of: step, opCode, status, nowMilliseconds: now) }
        case .advertisingAddress(let new):
            advertisingAddress = isDone ? new : nil
            if isDisallowed { mustStopAdvertising = true }
            // The set is gone, or never was: it is made anew.
            if !isDone {
                advertisingType = nil
                noteRefusal(of: step, opCode, status, nowMilliseconds: now)
            }
        case .advertisingData(let new):
            turn = isDone ? new : nil
            if isDone, refusedAdvertising?.opCode == opCode { refusedAdvertising = nil }
            if isDisallowed, isAdvertising {
                takesDataOffOnly = true
            } else if !isDone {
                noteRefusal(of: step, opCode, status, nowMilliseconds: now)
            }
        }
        return true
    }

    /// "Unsupported" may mean a value, too; but of connectable advertising there is no milder kind to try.
    private func isNever(_ step: Step, _ status: Status) -> Bool {
        guard status == .unsupportedFeature else { return false }
        return step == .advertisingParameters(.connectable)
            || step == .advertising(true) && advertisingType == .connectable
    }

    /// For good, or until the next reset tells otherwise.
    private mutating func renounceAdvertising() {
        cannotAdvertise = true
        isAdvertising = false
        mustStopAdvertising = false
        refusedAdvertising = nil
    }

    private mutating func noteMove(to new: DeviceAddress, _ status: Status, nowMilliseconds now: UInt64) {
        if status == .success {
            address = new
            if refusedAdvertising?.opCode == .leSetRandomAddress { refusedAdvertising = nil }
        } else {
            // A role is on of which we believe that it is not.
            if status == .commandDisallowed {
                mustStopScan = true
                mustStopAdvertising = true
            }
            noteRefusal(of: .address(new), .leSetRandomAddress, status, nowMilliseconds: now)
        }
    }

    /// Connectable advertising ends by itself when somebody connects, of several sets the one it was. With some controllers
    /// the scan does too, and nobody says so: both are started anew.
    mutating func noteIncomingConnection() {
        isAdvertising = false
        if commands == .extended { mustStopAdvertising = true }
        if isScanning { restartScan() }
    }

    /// After an unexpected refusal nothing is started for a moment.
    private mutating func noteRefusal(
        of step: Step, _ opCode: OpCode, _ status: Status, nowMilliseconds now: UInt64
    ) {
        pausedUntilMilliseconds = now + 1_000
        var refusal =
            (step.isOfScan ? refusedScan : refusedAdvertising)
            ?? Refusal(opCode: opCode, status: status, sinceMilliseconds: now)
        refusal.opCode = opCode
        refusal.status = status
        if step.isOfScan { refusedScan = refusal } else { refusedAdvertising = refusal }
    }
}

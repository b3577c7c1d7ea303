import HCI

/// What the controller is doing, and the one command that brings it nearer to what it should do.
///
/// Nothing is ever changed while it is in use: parameters, data and addresses are refused (0x0C) while scanning or
/// advertising, so the order is always stop, set, start. Scanning and advertising stop while a connection is being
/// made, for some controllers wedge otherwise.
struct Roles: BitwiseCopyable, Sendable {
    /// Whether the controller does both at once. Its own word (LE Read Supported States) is not to be trusted, so
    /// it is tried, and a refusal remembered until the next reset.
    enum Sharing: UInt8, BitwiseCopyable { case together, byTurns }

    struct Plan: BitwiseCopyable {
        var scans: Bool
        var advertises: Bool
        var advertisingType: AdvertisingType
    }

    /// One command, remembered until it is answered: by then the plan may be another.
    private enum Step: BitwiseCopyable, Equatable {
        case scanParameters
        case scan(Bool)
        case advertisingParameters(AdvertisingType)
        case advertisingData
        case advertising(Bool)

        var opCode: OpCode {
            switch self {
            case .scanParameters: .leSetScanParameters
            case .scan: .leSetScanEnable
            case .advertisingParameters: .leSetAdvertisingParameters
            case .advertisingData: .leSetAdvertisingData
            case .advertising: .leSetAdvertisingEnable
            }
        }
    }

    private(set) var isScanning = false
    private(set) var isAdvertising = false
    private(set) var sharing = Sharing.together
    /// The controller does not take connections while it has one.
    private(set) var isConnectableOnlyAlone = false
    private(set) var refusals: UInt32 = 0
    private var asked: Step?
    private var hasScanParameters = false
    private var hasAdvertisingData = false
    private var advertisingType: AdvertisingType?
    /// After an unexpected refusal, nothing is started before this time.
    private var pausedUntilMilliseconds: UInt64 = 0

    /// By turns: this long scanning, then this long advertising. Well within HP-C24's 30 s.
    static let scanTurnMilliseconds: UInt64 = 2_000
    static let advertisingTurnMilliseconds: UInt64 = 1_000

    /// The part of `plan` that is due now.
    func due(_ plan: Plan, nowMilliseconds now: UInt64) -> Plan {
        guard sharing == .byTurns, plan.scans, plan.advertises else { return plan }
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
        asked = nextStep(towards: plan, nowMilliseconds: now)
        switch asked {
        case nil: return nil
        case .scanParameters:
            return .leSetScanParameters(
                intervalSlots: settings.scanIntervalSlots, windowSlots: settings.scanWindowSlots,
                usesRandomAddress: true)
        case .scan(let isOn): return .leSetScanEnable(isOn)
        case .advertisingParameters(let type):
            return .leSetAdvertisingParameters(
                intervalSlots: settings.advertisingIntervalSlots(for: type), type: type,
                usesRandomAddress: true)
        case .advertisingData: return .leSetAdvertisingData(settings.advertisingData)
        case .advertising(let isOn): return .leSetAdvertisingEnable(isOn)
        }
    }

    private func nextStep(towards plan: Plan, nowMilliseconds now: UInt64) -> Step? {
        if isScanning, !plan.scans { return .scan(false) }
        if isAdvertising, !plan.advertises || advertisingType != plan.advertisingType {
            return .advertising(false)
        }
        guard now >= pausedUntilMilliseconds else { return nil }
        if plan.advertises, !isAdvertising {
            if advertisingType != plan.advertisingType { return .advertisingParameters(plan.advertisingType) }
            return hasAdvertisingData ? .advertising(true) : .advertisingData
        }
        if plan.scans, !isScanning { return hasScanParameters ? .scan(true) : .scanParameters }
        return nil
    }

    /// Notes the answer to the command asked for last. Returns false where it is the answer to another.
    mutating func noteAnswer(
        to opCode: OpCode, _ status: Status, hasLinks: Bool, nowMilliseconds now: UInt64
    ) -> Bool {
        guard let step = asked, step.opCode == opCode else { return false }
        asked = nil
        let isDone = status == .success
        let isDisallowed = status == .commandDisallowed
        switch step {
        // A second "disable" may be refused; either way it is off.
        case .scan(false): isScanning = false
        case .advertising(false): isAdvertising = false
        case .scan(true):
            isScanning = isDone
            if isDisallowed, isAdvertising {
                sharing = .byTurns
            } else if !isDone {
                hasScanParameters = false
                pause(nowMilliseconds: now)
            }
        case .advertising(true):
            isAdvertising = isDone
            if isDisallowed, hasLinks, advertisingType == .connectable {
                isConnectableOnlyAlone = true
            } else if isDisallowed, isScanning {
                sharing = .byTurns
            } else if !isDone {
                advertisingType = nil
                pause(nowMilliseconds: now)
            }
        case .scanParameters:
            hasScanParameters = isDone
            // Refused because it is in use: then it is on, and is to be stopped first.
            if isDisallowed { isScanning = true }
            if !isDone { pause(nowMilliseconds: now) }
        case .advertisingParameters(let type):
            advertisingType = isDone ? type : nil
            if isDisallowed { isAdvertising = true }
            if !isDone { pause(nowMilliseconds: now) }
        case .advertisingData:
            hasAdvertisingData = isDone
            if !isDone { pause(nowMilliseconds: now) }
        }
        return true
    }

    /// Connectable advertising ends by itself when somebody connects.
    mutating func noteIncomingConnection() { isAdvertising = false }

    private mutating func pause(nowMilliseconds now: UInt64) {
        refusals &+= 1
        pausedUntilMilliseconds = now + 1_000
    }
}

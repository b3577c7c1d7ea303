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

    private(set) var isScanning = false
    private(set) var isAdvertising = false
    private(set) var sharing = Sharing.together
    private var hasScanParameters = false
    private var hasAdvertisingData = false
    private var advertisingTypeSet: AdvertisingType?
    /// After an unexpected refusal, nothing is tried before this time.
    private var pausedUntilMilliseconds: UInt64 = 0
    private(set) var refusals: UInt32 = 0

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

    /// The next step towards `plan`; nil when it is reached.
    func nextCommand(towards plan: Plan, settings: RadioSettings, nowMilliseconds now: UInt64) -> Command? {
        if isScanning, !plan.scans { return .leSetScanEnable(false) }
        if isAdvertising, !plan.advertises || advertisingTypeSet != plan.advertisingType {
            return .leSetAdvertisingEnable(false)
        }
        guard now >= pausedUntilMilliseconds else { return nil }
        if plan.advertises, !isAdvertising {
            if advertisingTypeSet != plan.advertisingType {
                return .leSetAdvertisingParameters(
                    intervalSlots: settings.advertisingIntervalSlots, type: plan.advertisingType,
                    usesRandomAddress: true)
            }
            if !hasAdvertisingData { return .leSetAdvertisingData(settings.advertisingData) }
            return .leSetAdvertisingEnable(true)
        }
        if plan.scans, !isScanning {
            if !hasScanParameters {
                return .leSetScanParameters(
                    intervalSlots: settings.scanIntervalSlots, windowSlots: settings.scanWindowSlots,
                    usesRandomAddress: true)
            }
            return .leSetScanEnable(true)
        }
        return nil
    }

    /// Notes the answer to a command of ``nextCommand(towards:settings:nowMilliseconds:)``. `asked` is the plan it
    /// was sent for. Returns false where the command is none of these.
    mutating func noteAnswer(
        to opCode: OpCode, _ status: Status, asked: Plan, nowMilliseconds now: UInt64
    ) -> Bool {
        let isRefused = status != .success
        switch opCode {
        case .leSetScanEnable:
            if isScanning {
                // A second "disable" may be refused; either way it no longer scans.
                isScanning = false
            } else if !isRefused {
                isScanning = true
            } else if status == .commandDisallowed, isAdvertising {
                sharing = .byTurns
            } else {
                hasScanParameters = false
                pause(nowMilliseconds: now)
            }
        case .leSetAdvertisingEnable:
            if isAdvertising {
                isAdvertising = false
            } else if !isRefused {
                isAdvertising = true
            } else if status == .commandDisallowed, isScanning {
                sharing = .byTurns
            } else {
                advertisingTypeSet = nil
                pause(nowMilliseconds: now)
            }
        case .leSetScanParameters:
            hasScanParameters = !isRefused
            if isRefused { pause(nowMilliseconds: now) }
        case .leSetAdvertisingParameters:
            advertisingTypeSet = isRefused ? nil : asked.advertisingType
            if isRefused { pause(nowMilliseconds: now) }
        case .leSetAdvertisingData:
            hasAdvertisingData = !isRefused
            if isRefused { pause(nowMilliseconds: now) }
        default: return false
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

import FixedMemory
import HCI
import Protocols
import Schemes

/// A second advertising set, under an address of its own, where the controller has one: who we are in Exposure Notification is
/// said beside all else, without turns. What a controller says of its sets is not asked for: it is tried, and the first
/// refusal makes it turns until the next reset.
struct BroadcastSet: BitwiseCopyable {
    /// One command, remembered until it is answered.
    private enum Step: BitwiseCopyable {
        case parameters, address, data
        case advertising(Bool)
    }

    private(set) var isRefused = false
    private(set) var isOn = false
    private var hasParameters = false
    /// What the set has been told, but for what comes next; nil: nothing.
    private var address: DeviceAddress?
    private var identity: ExposureBroadcast?
    private var asked: Step?

    /// The next command towards `wanted`; nil when that is reached.
    mutating func nextCommand(
        towards wanted: ExposureBroadcast?, settings: RadioSettings
    ) -> Command? {
        guard !isRefused else { return nil }
        if isOn, wanted != identity {
            return ask(.advertising(false), .leSetExtendedAdvertisingEnable(false, of: .broadcast))
        }
        guard let wanted, !isOn else { return nil }
        if !hasParameters {
            return ask(
                .parameters,
                .leSetExtendedAdvertisingParameters(
                    intervalSlots: settings.advertisingIntervalSlots(for: .nonConnectable),
                    type: .nonConnectable,
                    usesRandomAddress: true, of: .broadcast))
        }
        if address != wanted.address {
            address = wanted.address
            return ask(.address, .leSetAdvertisingSetRandomAddress(wanted.address, of: .broadcast))
        }
        if identity != wanted {
            identity = wanted
            let data = settings.advertisingData(in: AdvertTurn(wanted.identity))
            return ask(.data, .leSetExtendedAdvertisingData(data, of: .broadcast))
        }
        return ask(.advertising(true), .leSetExtendedAdvertisingEnable(true, of: .broadcast))
    }

    private mutating func ask(_ step: Step, _ command: Command) -> Command {
        asked = step
        return command
    }

    /// Notes the answer to the command asked for last.
    /// - Returns: false where it is the answer to another.
    mutating func noteAnswer(_ status: Status) -> Bool {
        guard let step = asked else { return false }
        asked = nil
        switch step {
        // Either way it is off.
        case .advertising(false): isOn = false
        case .advertising(true): isOn = status == .success
        case .parameters: hasParameters = status == .success
        case .address, .data: break
        }
        if case .advertising(false) = step { return true }
        if status != .success { isRefused = true }
        return true
    }

    /// To be set up anew.
    mutating func restart() {
        guard !isRefused else { return }
        self = BroadcastSet()
    }
}

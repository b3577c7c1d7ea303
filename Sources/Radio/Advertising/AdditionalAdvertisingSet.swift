import FixedMemory
import HCI
import Protocols

/// An advertising set beside the first, where the controller has as many: what it says is said beside all
/// else, without turns. What a controller says of its sets is not asked for: each is tried, and what the
/// first refusal keeps from being said takes turns until the next reset.
package struct AdditionalAdvertisingSet: BitwiseCopyable {
    /// One command, remembered until it is answered.
    private enum Step: BitwiseCopyable {
        case parameters, address, data
        case advertising(Bool)
    }

    let handle: AdvertisingHandle
    private(set) var isRefused = false
    private(set) var isOn = false
    /// To be stopped first, whatever we believe that it does.
    private var mustStop = false
    /// What the set has been told, but for what comes next; nil: nothing.
    private var type: AdvertisingType?
    private var address: DeviceAddress?
    private var turn: AdvertisingSlot?
    private var asked: Step?

    init(_ handle: AdvertisingHandle) { self.handle = handle }

    /// The command that stops it, where it is not to go on as it is.
    @inline(never)
    mutating func nextStop(towards wanted: SetContent?) -> Command? {
        guard !isRefused, mustStop || isOn && !says(wanted) else { return nil }
        return ask(.advertising(false), .leSetExtendedAdvertisingEnable(false, of: handle))
    }

    /// The next command towards `wanted`; nil when that is reached.
    mutating func nextCommand(towards wanted: SetContent?, settings: RadioSettings) -> Command? {
        if let stop = nextStop(towards: wanted) { return stop }
        guard !isRefused, !isOn, let wanted else { return nil }
        if type != wanted.type {
            type = wanted.type
            return ask(
                .parameters,
                .leSetExtendedAdvertisingParameters(
                    intervalSlots: settings.advertisingIntervalSlots(for: wanted.type), type: wanted.type,
                    usesRandomAddress: true, of: handle))
        }
        if address != wanted.address {
            address = wanted.address
            return ask(.address, .leSetAdvertisingSetRandomAddress(wanted.address, of: handle))
        }
        if turn != wanted.turn {
            turn = wanted.turn
            let data = settings.advertisingData(in: wanted.turn)
            return ask(.data, .leSetExtendedAdvertisingData(data, of: handle))
        }
        return ask(.advertising(true), .leSetExtendedAdvertisingEnable(true, of: handle))
    }

    private func says(_ wanted: SetContent?) -> Bool {
        guard let wanted else { return false }
        return type == wanted.type && address == wanted.address && turn == wanted.turn
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
        if case .advertising(let isStarting) = step {
            // Stopped it is either way: a second "disable" may be refused.
            isOn = isStarting && status == .success
            if !isStarting {
                mustStop = false
                return true
            }
        }
        if status != .success { isRefused = true }
        return true
    }

    /// Somebody has connected to us: it may have been by this set, which has then ended by itself.
    mutating func noteIncomingConnection() {
        if isOn, type == .connectable { mustStop = true }
    }

    /// To be set up anew.
    mutating func restart() {
        guard !isRefused else { return }
        self = AdditionalAdvertisingSet(handle)
        mustStop = true
    }
}

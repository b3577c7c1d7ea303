import FixedMemory
import HCI
import Protocols

/// An additional advertising set, for one scheme. Its adverts need no time-multiplexing. The controller's
/// claim about the number of its sets is not read: the agent tries each set. After a refusal the scheme is
/// time-multiplexed in the first set until the next reset.
package struct AdditionalAdvertisingSet: BitwiseCopyable {
    /// The command that waits for its answer.
    private enum Step: BitwiseCopyable {
        case parameters, address, data
        case advertising(Bool)
    }

    let handle: AdvertisingHandle
    private(set) var isRefused = false
    private(set) var isOn = false
    /// The set must be stopped before anything else, even if the agent believes that it is off.
    private var mustStop = false
    /// The parameters, address and content that the controller has for the set; nil if it has none.
    private var type: AdvertisingType?
    private var address: DeviceAddress?
    private var slot: AdvertisingSlot?
    private var asked: Step?

    init(_ handle: AdvertisingHandle) { self.handle = handle }

    /// The command that stops the set, if its content must change.
    @inline(never)
    mutating func nextStop(towards wanted: SetContent?) -> Command? {
        guard !isRefused, mustStop || isOn && !has(wanted) else { return nil }
        return ask(.advertising(false), .leSetExtendedAdvertisingEnable(false, of: handle))
    }

    /// The next command towards `wanted`; nil if the set has that content.
    mutating func nextCommand(towards wanted: SetContent?, settings: RadioSettings) -> Command? {
        if let stop = nextStop(towards: wanted) { return stop }
        guard !isRefused, !isOn, let wanted else { return nil }
        if type != wanted.type {
            type = wanted.type
            return ask(
                .parameters,
                .leSetExtendedAdvertisingParameters(
                    intervalSlots: settings.advertisingIntervalSlots(for: wanted.type), type: wanted.type,
                    usesRandomAddress: wanted.address.isRandom, of: handle))
        }
        if address != wanted.address {
            address = wanted.address
            guard wanted.address.isRandom else { return nextCommand(towards: wanted, settings: settings) }
            return ask(.address, .leSetAdvertisingSetRandomAddress(wanted.address, of: handle))
        }
        if slot != wanted.slot {
            slot = wanted.slot
            let data = settings.advertisingData(in: wanted.slot)
            return ask(.data, .leSetExtendedAdvertisingData(data, of: handle))
        }
        return ask(.advertising(true), .leSetExtendedAdvertisingEnable(true, of: handle))
    }

    private func has(_ wanted: SetContent?) -> Bool {
        guard let wanted else { return false }
        return type == wanted.type && address == wanted.address && slot == wanted.slot
    }

    private mutating func ask(_ step: Step, _ command: Command) -> Command {
        asked = step
        return command
    }

    /// Processes the answer to the last command.
    /// - Returns: false if the set waits for no answer.
    mutating func didReceiveAnswer(_ status: Status) -> Bool {
        guard let step = asked else { return false }
        asked = nil
        if case .advertising(let isStarting) = step {
            // A controller may refuse a second "disable". The set is off in either case.
            isOn = isStarting && status == .success
            if !isStarting {
                mustStop = false
                return true
            }
        }
        if status != .success { isRefused = true }
        return true
    }

    /// A peer has connected. If it did so through this set, the set has ended by itself.
    mutating func didAcceptConnection() {
        if isOn, type == .connectable { mustStop = true }
    }

    /// Stops the set and sets it up again.
    mutating func restart() {
        guard !isRefused else { return }
        self = AdditionalAdvertisingSet(handle)
        mustStop = true
    }
}

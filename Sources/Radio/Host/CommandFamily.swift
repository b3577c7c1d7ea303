import EncounterLog
import FixedMemory
import HCI
import Protocols

/// The family of commands for scanning, advertising and connecting. A controller accepts commands of one
/// family until its next reset (Bluetooth Core 5.4, Vol 4, Part E, 3.1.1).
package enum CommandFamily: UInt8, BitwiseCopyable, Sendable {
    /// The commands of Bluetooth 4.0, which every controller has.
    case legacy
    /// The extended commands of Bluetooth 5.0.
    case extended

    var advertisingEnable: OpCode {
        self == .legacy ? .leSetAdvertisingEnable : .leSetExtendedAdvertisingEnable
    }
    var createConnection: OpCode { self == .legacy ? .leCreateConnection : .leExtendedCreateConnection }

    func setScanParameters(_ timing: ScanTiming, under own: DeviceAddress) -> Command {
        let (interval, window) = (timing.intervalSlots, timing.windowSlots)
        return switch self {
        case .legacy:
            .leSetScanParameters(
                intervalSlots: interval, windowSlots: window, usesRandomAddress: own.isRandom)
        case .extended:
            .leSetExtendedScanParameters(
                intervalSlots: interval, windowSlots: window, usesRandomAddress: own.isRandom)
        }
    }

    func setScanEnable(_ isOn: Bool) -> Command {
        self == .legacy ? .leSetScanEnable(isOn) : .leSetExtendedScanEnable(isOn)
    }

    func setAdvertisingParameters(
        _ type: AdvertisingType, _ settings: RadioSettings, under own: DeviceAddress
    ) -> Command {
        let interval = settings.advertisingIntervalSlots(for: type)
        return switch self {
        case .legacy:
            .leSetAdvertisingParameters(
                intervalSlots: interval, type: type, usesRandomAddress: own.isRandom)
        case .extended:
            .leSetExtendedAdvertisingParameters(
                intervalSlots: interval, type: type, usesRandomAddress: own.isRandom)
        }
    }

    func setAdvertisingData(_ slot: AdvertisingSlot, _ settings: RadioSettings) -> Command {
        let data = settings.advertisingData(in: slot)
        return self == .legacy ? .leSetAdvertisingData(data) : .leSetExtendedAdvertisingData(data)
    }

    func setAdvertisingEnable(_ isOn: Bool) -> Command {
        self == .legacy ? .leSetAdvertisingEnable(isOn) : .leSetExtendedAdvertisingEnable(isOn)
    }

    func createConnection(
        to peer: DeviceAddress, _ timing: ScanTiming, under own: DeviceAddress
    ) -> Command {
        let (interval, window) = (timing.intervalSlots, timing.windowSlots)
        return switch self {
        case .legacy:
            .leCreateConnection(
                to: peer, scanIntervalSlots: interval, scanWindowSlots: window,
                usesRandomAddress: own.isRandom)
        case .extended:
            .leExtendedCreateConnection(
                to: peer, scanIntervalSlots: interval, scanWindowSlots: window,
                usesRandomAddress: own.isRandom)
        }
    }
}

import HCI
import Simulator

@testable import Simulator

extension SimulatedController {
    var commands: [OpCode] { script?.commands ?? [] }
    var parameters: [[UInt8]] { script?.parameters ?? [] }

    var isScanning: Bool { settings.isScanning }
    var isAdvertising: Bool { settings.isAdvertising }
    var advertisingType: UInt8 { settings.advertisingType }
    var advertisingData: [UInt8] { settings.advertisingData }
    var connectingTo: DeviceAddress? { settings.attempt?.peer }
    var linkHandles: [UInt16] { handles.map(\.handle) }
    /// The address that the host has set, in the order of the command.
    var randomAddress: [UInt8] { settings.randomAddress?.littleEndianBytes ?? [] }
    /// How often the host has opened the transport again.
    var reopenCount: Int { transport.openCount - 1 }

    func handle(of phone: ScriptedPhone) -> UInt16? {
        handles.first { $0.link.peer(of: self) === phone.station }?.handle
    }

    /// Reports an advert of `phone` to the host.
    func report(_ phone: ScriptedPhone) {
        let kind: AdvertisingReportKind = phone.isConnectable ? .connectable : .nonConnectable
        report(
            Advertisement(address: phone.address, kind: kind, data: phone.advert), rssiDBm: phone.rssiDBm)
    }
}

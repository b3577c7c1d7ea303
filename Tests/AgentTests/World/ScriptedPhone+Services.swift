import FixedMemory
import GATT
import Peers
import Protocols

extension ScriptedPhone {
    enum MTUManners: Equatable {
        case answers, isSilent
        case refuses(ATTError)
    }

    struct SignalMessage: Equatable {
        var code: HeraldSignalCode
        var data: [UInt8] = []
        var rssiDBm: Int16 = 0
    }

    /// The signal characteristics that it can host.
    enum Signal { case compliant, nonCompliant, both, unwritable, none }

    static func makeTable(
        _ signal: Signal, _ model: String?, _ maker: String?
    ) throws -> HeraldServer.Table {
        let name = Array("Phone".utf8)
        if signal == .compliant, model == nil, maker == nil {
            return HeraldServer.makeTable(deviceName: name.span)
        }
        let (payloadValue, signalValue) = (ValueIdentifier(rawValue: 1), ValueIdentifier(rawValue: 2))
        var table = HeraldServer.Table()
        if model == nil, maker == nil { try table.addGenericServices(deviceName: name.span, appearance: 0) }
        try table.addService(HeraldService.current)
        try table.addCharacteristic(HeraldService.payload, .read, value: payloadValue)
        if signal == .compliant || signal == .both {
            try table.addCharacteristic(HeraldService.compliantSignal, .write, value: signalValue)
        }
        if signal == .nonCompliant || signal == .both {
            try table.addCharacteristic(
                HeraldService.nonCompliantSignal, .write.union(.notify), value: signalValue)
        }
        if signal == .unwritable {
            try table.addCharacteristic(
                HeraldService.nonCompliantSignal, .writeWithoutResponse.union(.notify), value: signalValue)
        }
        if model != nil || maker != nil { try table.addService(BluetoothUUID(0x180a)) }
        if let model {
            try table.addCharacteristic(BluetoothUUID(0x2a24), constant: Array(model.utf8).span)
        }
        if let maker {
            try table.addCharacteristic(BluetoothUUID(0x2a29), constant: Array(maker.utf8).span)
        }
        return table
    }

    /// A scheme other than Herald: one characteristic in one service.
    struct Scheme {
        var service: BluetoothUUID
        var characteristic: BluetoothUUID
        var properties = CharacteristicProperties.read.union(.notify)
        /// The value served. If nil, a read fails.
        var value: [UInt8]?

        init(_ scheme: SchemeService, _ value: [UInt8]?) {
            service = scheme.service
            characteristic = scheme.identity
            if scheme.scheme == .bleProximity {
                properties = CharacteristicProperties.read.union(.write).union(.writeWithoutResponse)
            }
            self.value = value
        }

        /// Makes an instance of Herald's service.
        init(herald value: [UInt8]?) {
            service = HeraldService.current
            characteristic = HeraldService.payload
            self.value = value
        }
    }

    /// Makes a phone with these schemes. It has Herald if `payload` is given, and takes messages if
    /// `hasSignal`.
    convenience init(
        _ number: UInt64, schemes: [Scheme], herald payload: [UInt8]? = nil, advert: [UInt8] = [],
        hasSignal: Bool = false
    ) throws {
        try self.init(number, payload: payload ?? [], advert: advert)
        var table = AttributeTable<32>()
        if payload != nil {
            try table.addService(HeraldService.current)
            try table.addCharacteristic(HeraldService.payload, .read, value: ValueIdentifier(rawValue: 1))
        }
        if hasSignal {
            try table.addCharacteristic(
                HeraldService.compliantSignal, .write, value: ValueIdentifier(rawValue: 2))
        }
        for (index, scheme) in schemes.enumerated() {
            let identifier = ValueIdentifier(rawValue: UInt8(Self.firstSchemeValue + index))
            try table.addService(scheme.service)
            try table.addCharacteristic(scheme.characteristic, scheme.properties, value: identifier)
        }
        schemeTable = table
        schemeValues = schemes.map(\.value)
    }
}

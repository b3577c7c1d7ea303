import FixedMemory
import GATT
import Peers
import Protocols

/// A phone's GATT services, implemented apart from the board's own server. With Herald they have a payload
/// to read and a signal to write. With another scheme's app they have an identity to read and, in
/// BLE-Proximity, to write.
struct PhoneServer: AttributeDelegate {
    typealias Table = AttributeTable<32>

    static let payloadIdentifier = ValueIdentifier(rawValue: 1)
    static let signalIdentifier = ValueIdentifier(rawValue: 2)
    static let identityIdentifier = ValueIdentifier(rawValue: 3)
    static let keepAliveIdentifier = ValueIdentifier(rawValue: 4)

    /// A phone's services, with the handles of the values that boards may read.
    struct Offer {
        var table = Table()
        var payloadHandles: [UInt16] = []
        /// The handles of model and manufacturer.
        var deviceHandles: [UInt16] = []
    }

    var payload: [UInt8]
    private(set) var readCount: UInt64 = 0
    /// The number of empty writes, which wake iPhone apps in the background.
    private(set) var wakeCount: UInt64 = 0
    private let isIPhone: Bool
    private(set) var messages: [BoardMessage] = []
    private(set) var badWrites: [String] = []
    /// The part of a message that an Android phone has received so far.
    private var fragments: [UInt8] = []

    init(payload: [UInt8], isIPhone: Bool) {
        self.payload = payload
        self.isIPhone = isIPhone
    }

    /// Makes the services of a Herald phone.
    ///
    /// - Parameters:
    ///   - padding: The number of characteristics before Herald's, so that handles differ between phones.
    ///   - model: The value of the model and manufacturer characteristics.
    static func makeOffer(_ kind: PhoneKind, padding: Int, model: [UInt8]) -> Offer {
        let name = Array("Phone".utf8)
        return makeOffer(kind, padding: padding, name: name.span, model: model.span)
    }

    private static func makeOffer(
        _ kind: PhoneKind, padding: Int, name: Span<UInt8>, model: Span<UInt8>
    ) -> Offer {
        var offer = Offer()
        do throws(CapacityError) {
            try addOrdinaryServices(name, padding: padding, to: &offer.table)
            if kind.services == .current || kind.services == .both {
                offer.payloadHandles.append(try addHerald(HeraldService.current, kind, to: &offer.table))
            }
            if kind.services == .legacy || kind.services == .both {
                offer.payloadHandles.append(try addHerald(HeraldService.legacy, kind, to: &offer.table))
            }
            if kind.saysModel {
                try offer.table.addService(BluetoothUUID(0x180a))
                for type in [UInt16(0x2a24), 0x2a29] {
                    offer.deviceHandles.append(
                        try offer.table.addCharacteristic(BluetoothUUID(type), constant: model))
                }
            }
        } catch {
            preconditionFailure("the table has room for four paddings")
        }
        return offer
    }

    /// Makes the services of a phone with the app of a scheme other than Herald.
    static func makeTable(
        _ service: SchemeService, padding: Int
    ) -> (Table, identityHandle: UInt16) {
        let name = Array("Phone".utf8)
        return makeTable(service, padding: padding, name: name.span)
    }

    private static func makeTable(
        _ service: SchemeService, padding: Int, name: Span<UInt8>
    ) -> (Table, identityHandle: UInt16) {
        var table = Table()
        var handle: UInt16 = 0
        do throws(CapacityError) {
            try addOrdinaryServices(name, padding: padding, to: &table)
            try table.addService(service.service)
            switch service.scheme {
            case .sonar:
                handle = try table.addCharacteristic(
                    service.identity, .read.union(.notify), value: identityIdentifier)
                try table.addCharacteristic(SchemePhoneKind.keepAlive, .notify, value: keepAliveIdentifier)
            case .covidTracer, .herald, .exposureNotification, .robert, .dp3t, .tcn:
                handle = try table.addCharacteristic(
                    service.identity, .read.union(.notify), value: identityIdentifier)
            case .bleProximity:
                handle = try table.addCharacteristic(
                    service.identity, .read.union(.write).union(.writeWithoutResponse),
                    value: identityIdentifier)
            }
        } catch {
            preconditionFailure("the table has room for four paddings")
        }
        return (table, handle)
    }

    private static func addOrdinaryServices(
        _ name: Span<UInt8>, padding: Int, to table: inout Table
    ) throws(CapacityError) {
        try table.addGenericServices(deviceName: name, appearance: 0)
        try table.addService(BluetoothUUID(0x180f))
        for _ in 0..<padding { try table.addCharacteristic(BluetoothUUID(0x2a19), constant: name) }
    }

    /// Adds Herald's service. The signal's handle is two after the payload's.
    private static func addHerald(_ service: BluetoothUUID, _ kind: PhoneKind, to table: inout Table)
        throws(CapacityError) -> UInt16
    {
        try table.addService(service)
        let handle = try table.addCharacteristic(HeraldService.payload, .read, value: payloadIdentifier)
        if kind.isIPhone {
            try table.addCharacteristic(
                HeraldService.nonCompliantSignal, .write.union(.notify), value: signalIdentifier)
        } else {
            try table.addCharacteristic(HeraldService.compliantSignal, .write, value: signalIdentifier)
        }
        return handle
    }

    mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
        throws(ATTError)
    {
        readCount &+= 1
        try? value.append(payload.span)
    }

    mutating func write(_ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind)
        throws(ATTError)
    {
        // The app trusts and keeps an identity that a peer writes.
        if identifier == Self.identityIdentifier { return }
        let bytes = [UInt8](value)
        if isIPhone {
            if bytes.isEmpty {
                wakeCount &+= 1
                return
            }
            guard let message = BoardMessage(bytes) else {
                badWrites.append("a write of \(bytes.count) bytes that is no message")
                throw .invalidAttributeValueLength
            }
            messages.append(message)
        } else {
            if bytes.count > 20 { badWrites.append("a fragment of \(bytes.count) bytes") }
            fragments += bytes
            guard let byteCount = BoardMessage.byteCount(beginning: fragments), byteCount <= fragments.count
            else { return }
            if let message = BoardMessage(fragments) {
                messages.append(message)
            } else {
                badWrites.append("more than one message in a fragment")
            }
            fragments = []
        }
    }

    /// Drops a partial message, because its link has ended.
    mutating func linkEnded() { fragments = [] }

    mutating func takeBadWrites() -> [String] {
        defer { badWrites = [] }
        return badWrites
    }
}

import FixedMemory
import GATT
import Protocols

/// What a phone offers over GATT, apart from the board's own server: the payload to read, a signal to write.
struct PhoneServer: AttributeDelegate {
    typealias Table = AttributeTable<32>

    static let payloadIdentifier = ValueIdentifier(rawValue: 1)
    static let signalIdentifier = ValueIdentifier(rawValue: 2)

    var payload: [UInt8]
    private(set) var readCount: UInt64 = 0
    private(set) var writeCount: UInt64 = 0

    init(payload: [UInt8]) { self.payload = payload }

    /// `padding`: characteristics before Herald's, so that handles differ between phones.
    static func makeTable(_ services: PhoneKind.Services, padding: Int) -> (Table, payloadHandles: [UInt16]) {
        let name = Array("Phone".utf8)
        return makeTable(services, padding: padding, name: name.span)
    }

    private static func makeTable(
        _ services: PhoneKind.Services, padding: Int, name: Span<UInt8>
    ) -> (Table, payloadHandles: [UInt16]) {
        var table = Table()
        var handles: [UInt16] = []
        do throws(CapacityError) {
            try addOrdinaryServices(name, padding: padding, to: &table)
            if services == .current || services == .both {
                handles.append(try addHerald(HeraldService.current, to: &table))
            }
            if services == .legacy || services == .both {
                handles.append(try addHerald(HeraldService.legacy, to: &table))
            }
        } catch {
            preconditionFailure("the table has room for four paddings")
        }
        return (table, handles)
    }

    private static func addOrdinaryServices(
        _ name: Span<UInt8>, padding: Int, to table: inout Table
    ) throws(CapacityError) {
        try table.addGenericServices(deviceName: name, appearance: 0)
        try table.addService(BluetoothUUID(0x180f))
        for _ in 0..<padding { try table.addCharacteristic(BluetoothUUID(0x2a19), constant: name) }
    }

    private static func addHerald(_ service: BluetoothUUID, to table: inout Table) throws(CapacityError)
        -> UInt16
    {
        try table.addService(service)
        let handle = try table.addCharacteristic(HeraldService.payload, .read, value: payloadIdentifier)
        try table.addCharacteristic(HeraldService.compliantSignal, .write, value: signalIdentifier)
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
        writeCount &+= 1
    }
}

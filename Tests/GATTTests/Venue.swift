import FixedMemory
import GATT
import TestSupport

extension Span where Element == UInt8 {
    var array: [UInt8] { indices.map { self[$0] } }
}

extension BluetoothUUID {
    static let herald = BluetoothUUID(0xfcf6)
    static let legacyHerald = BluetoothUUID("428132af-4746-42d3-801e-4572d65bfd9b")
    static let payload = BluetoothUUID("3e98c0f8-8f05-4829-a121-43e38f8933e7")
    static let compliantSignal = BluetoothUUID("f617b813-092e-437a-8324-e09a80821a11")
    static let otherSignal = BluetoothUUID("0eb0d5f2-eae4-4a9a-8af3-a4adb02d4363")
    static let experiment = BluetoothUUID("11223344-5566-7788-99aa-bbccddeeff00")
}

extension ValueIdentifier {
    static let payload = ValueIdentifier(rawValue: 1)
    static let signal = ValueIdentifier(rawValue: 2)
    static let openWrite = ValueIdentifier(rawValue: 3)
    static let unready = ValueIdentifier(rawValue: 4)
    static let counter = ValueIdentifier(rawValue: 5)
}

/// The owner of the values: it counts the reads and keeps what peers write.
struct VenueValues: AttributeDelegate {
    struct Write: Equatable {
        var identifier: UInt8
        var link: Int
        var value: [UInt8]
        var kind: WriteKind
    }

    var payload: [UInt8]
    var reads = 0
    var writes: [Write] = []
    var writeError: ATTError?

    mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
        throws(ATTError)
    {
        reads += 1
        let bytes: [UInt8]
        switch identifier {
        case .payload: bytes = payload
        case .counter: bytes = [UInt8(truncatingIfNeeded: reads)]
        default: throw .insufficientResources
        }
        do throws(CapacityError) {
            for byte in bytes { try value.append(byte) }
        } catch {
            throw .unlikelyError
        }
    }

    mutating func write(_ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind)
        throws(ATTError)
    {
        if let writeError { throw writeError }
        writes.append(Write(identifier: identifier.rawValue, link: link, value: value.array, kind: kind))
    }
}

/// The table of a venue beacon, and a service with unusual characteristics for the error cases.
///
/// | handles | service | characteristics (value handle) |
/// |---|---|---|
/// | 1–5 | 1800 | name (3), appearance (5) |
/// | 6 | 1801 | |
/// | 7–11 | FCF6 | payload (9), signal (11) |
/// | 12–16 | 428132af… | payload (14), signal (16) |
/// | 17–23 | 11223344… | FF01 open write (19), FF02 unready (21), FF03 counter (23) |
func venueTable() throws -> AttributeTable<24> {
    var table = AttributeTable<24>()
    let name = Array("Venue".utf8)
    try table.addGenericServices(deviceName: name.span, appearance: 0x0540)
    for service in [BluetoothUUID.herald, .legacyHerald] {
        try table.addService(service)
        try table.addCharacteristic(.payload, .read, value: .payload)
        try table.addCharacteristic(.compliantSignal, .write, value: .signal)
    }
    try table.addService(.experiment)
    try table.addCharacteristic(BluetoothUUID(0xff01), .write.union(.writeWithoutResponse), value: .openWrite)
    try table.addCharacteristic(BluetoothUUID(0xff02), .read, value: .unready)
    try table.addCharacteristic(BluetoothUUID(0xff03), .read, value: .counter)
    return table
}

/// A server on one link that takes requests in hexadecimal.
struct Venue {
    let table: AttributeTable<24>
    var values: VenueValues
    var bearer = ATTBearer()
    var link = 3

    init(table: AttributeTable<24>) {
        self.table = table
        values = VenueValues(payload: [])
    }

    init(payloadByteCount: Int = 129) throws {
        table = try venueTable()
        values = VenueValues(payload: (0..<payloadByteCount).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    }

    /// Raises the MTU with an MTU request, as a peer's client does.
    init(mtu: Int, payloadByteCount: Int = 129) throws {
        try self.init(payloadByteCount: payloadByteCount)
        _ = ask([0x02, UInt8(truncatingIfNeeded: mtu), UInt8(truncatingIfNeeded: mtu >> 8)])
    }

    /// - Returns: The answer; empty if there is none.
    mutating func ask(_ pdu: [UInt8]) -> [UInt8] {
        var answer = ATTBuffer()
        _ = bearer.receive(pdu.span, link: link, table: table, delegate: &values, answer: &answer)
        return answer.span.array
    }

    mutating func ask(_ hex: String) -> String { ask([UInt8](hex: hex)).hex }
}

import GATT
import Testing

/// A passer-by with a phone, linked to the board.
@Suite struct PasserByAtTheServerTests {
    /// Counts how often a value was made.
    private struct Values: AttributeDelegate {
        var value: [UInt8]
        var count = 0

        mutating func read(_ identifier: ValueIdentifier, link: Int, into value: inout AttributeValue)
            throws(ATTError)
        {
            count += 1
            try? value.append(self.value.span)
        }

        mutating func write(
            _ identifier: ValueIdentifier, link: Int, value: Span<UInt8>, kind: WriteKind
        ) throws(ATTError) {}
    }

    /// A Sonar value takes an HMAC, so 255 of them in one request would take all of a small board.
    @Test(arguments: [129, 0])
    func `a passer-by with a phone cannot occupy the processor with one Read Multiple`(_ byteCount: Int)
        throws
    {
        var table = AttributeTable<8>()
        try table.addService(BluetoothUUID(0xfcf6))
        let handle = try table.addCharacteristic(
            BluetoothUUID(0xff01), .read, value: ValueIdentifier(rawValue: 1))
        var values = Values(value: [UInt8](repeating: 7, count: byteCount))
        var bearer = ATTBearer()
        var answer = ATTBuffer()
        let mtu: [UInt8] = [0x02, 0x05, 0x02]
        _ = bearer.receive(mtu.span, link: 0, table: table, delegate: &values, answer: &answer)
        let named = [UInt8](repeating: 0, count: 510).indices.map {
            UInt8($0 % 2 == 0 ? handle & 255 : handle >> 8)
        }
        let request: [UInt8] = [0x0e] + named
        answer = ATTBuffer()
        _ = bearer.receive(request.span, link: 0, table: table, delegate: &values, answer: &answer)
        #expect(values.count <= 32)
        #expect(!answer.isEmpty, "the request is answered")
    }
}

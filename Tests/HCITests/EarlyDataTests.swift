import FixedMemory
import HCI
import Testing

@Suite struct EarlyDataTests {
    private let handle = ConnectionHandle(rawValue: 0x010)

    private func packet(_ number: UInt8) -> [UInt8] { [2, 0x10, 0x20, 1, 0, number] }

    @Test func `packets of a connection come back once, in their order`() throws {
        var early = EarlyData()
        for number in 1...3 as ClosedRange<UInt8> {
            early.add(packet(number).span, of: handle, now: 1_000)
            early.add(packet(9).span, of: ConnectionHandle(rawValue: 0x011), now: 1_000)
        }
        for number in 1...3 as ClosedRange<UInt8> {
            expect(&early, of: handle, now: 1_100, is: packet(number))
        }
        expect(&early, of: handle, now: 1_100, is: nil)
    }

    @Test func `an old packet belongs to an earlier connection and is dropped`() {
        var early = EarlyData()
        early.add(packet(1).span, of: handle, now: 1_000)
        early.add(packet(2).span, of: handle, now: 1_150)
        expect(&early, of: handle, now: 1_201, is: packet(2))
        expect(&early, of: handle, now: 1_201, is: nil)
    }

    @Test func `a flood for connections that never open leaves the latest packets`() {
        var early = EarlyData()
        for number in 0..<2_000 as Range<UInt16> {
            early.add(packet(0).span, of: ConnectionHandle(rawValue: 0x100 + number), now: 1_000)
        }
        early.add(packet(1).span, of: handle, now: 1_000)
        expect(&early, of: handle, now: 1_000, is: packet(1))
    }

    @Test func `a packet that is too long for a first request is dropped`() {
        var early = EarlyData()
        early.add([UInt8](repeating: 0, count: 65).span, of: handle, now: 1_000)
        expect(&early, of: handle, now: 1_000, is: nil)
    }

    @Test func `adapters have connections of their own`() {
        var early = EarlyData()
        early.add(packet(1).span, of: handle, adapter: 1, now: 1_000)
        expect(&early, of: handle, adapter: 0, now: 1_000, is: nil)
        expect(&early, of: handle, adapter: 1, now: 1_000, is: packet(1))
    }

    /// Takes the oldest packet, and compares its bytes.
    private func expect(
        _ early: inout EarlyData, of handle: ConnectionHandle, adapter: UInt16 = 0, now: Instant,
        is expected: [UInt8]?, at place: SourceLocation = #_sourceLocation
    ) {
        let packet = early.take(of: handle, adapter: adapter, now: now)
        let bytes = packet.map { packet in packet.span.indices.map { packet.span[$0] } }
        #expect(bytes == expected, sourceLocation: place)
    }
}

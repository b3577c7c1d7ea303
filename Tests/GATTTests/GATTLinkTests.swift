import FixedMemory
import GATT
import TestSupport
import Testing

@Suite struct GATTLinkTests {
    /// Two links joined as central and peripheral, over controllers with `dataByteCount` bytes per ACL
    /// packet.
    struct Air {
        var central = GATTLink(role: .central)
        var peripheral = GATTLink(role: .peripheral)
        let table: AttributeTable<24>
        var values: VenueValues
        let dataByteCount: Int
        var packets = 0

        init(dataByteCount: Int) throws {
            table = try venueTable()
            values = VenueValues(payload: (0..<129).map { UInt8($0) })
            self.dataByteCount = dataByteCount
        }

        /// Carries one packet in each direction.
        mutating func step() -> (central: GATTLink.Outcome, peripheral: GATTLink.Outcome) {
            var outcomes = (central: GATTLink.Outcome(), peripheral: GATTLink.Outcome())
            var packet = FixedBuffer<255>()
            if let boundary = central.nextFragment(maximumByteCount: dataByteCount, into: &packet) {
                packets += 1
                outcomes.peripheral = peripheral.receive(
                    packet.span, boundary: boundary, link: 1, table: table, delegate: &values)
            }
            packet.removeAll()
            if let boundary = peripheral.nextFragment(maximumByteCount: dataByteCount, into: &packet) {
                packets += 1
                outcomes.central = central.receive(
                    packet.span, boundary: boundary, link: 0, table: table, delegate: &values)
            }
            return outcomes
        }
    }

    @Test(arguments: [27, 251], [true, false])
    func `both sides read each other at once`(_ dataByteCount: Int, _ exchangesMTU: Bool) throws {
        var air = try Air(dataByteCount: dataByteCount)
        let search = CharacteristicSearch(
            services: UUIDList(.herald, .legacyHerald), characteristic: .payload,
            others: UUIDList(.compliantSignal), exchangesMTU: exchangesMTU)
        air.central.start(search)
        air.peripheral.start(search)
        #expect(air.central.hasFragment && air.central.isBusy && !air.central.isWaiting)
        var finished = (central: false, peripheral: false)
        for _ in 0..<1000 where air.central.hasFragment || air.peripheral.hasFragment {
            let outcomes = air.step()
            if outcomes.central.clientEvent == .finished { finished.central = true }
            if outcomes.peripheral.clientEvent == .finished { finished.peripheral = true }
        }
        #expect(finished.central && finished.peripheral)
        #expect(air.central.value.array == air.values.payload)
        #expect(air.peripheral.value.array == air.values.payload)
        #expect(air.central.findings.other(0)?.valueHandle == 11)
        #expect(air.central.droppedCount == 0 && air.peripheral.droppedCount == 0)
        #expect(air.central.mtu.byteCount == (exchangesMTU ? 517 : 23))
    }

    @Test func `each channel is answered`() throws {
        let air = try Air(dataByteCount: 27)
        var values = air.values
        var link = air.central
        func ask(_ packet: String) -> (String, GATTLink.Outcome) {
            let outcome = link.receive(
                [UInt8](hex: packet).span, boundary: .firstFlushable, link: 0, table: air.table,
                delegate: &values)
            var answer = FixedBuffer<255>()
            _ = link.nextFragment(maximumByteCount: 251, into: &answer)
            return (answer.span.array.hex, outcome)
        }
        #expect(ask("0300 0400 0a0300").0 == "0600 0400 0b56656e7565".packed)
        #expect(ask("0700 0600 01030000100707").0 == "0200 0600 0505".packed)
        let (answer, outcome) = ask("0c00 0500 12070800 1800 2800 0000 2a00")
        #expect(answer == "0600 0500 1307 0200 0000".packed)
        #expect(outcome.connectionParameters?.intervalMaximum == 40)
        #expect(link.droppedCount == 0)
        #expect(ask("0100 4000 00").0 == "")
        #expect(link.droppedCount == 1)
    }

    @Test func `a peer that does not wait for answers only loses requests`() throws {
        var air = try Air(dataByteCount: 27)
        var link = air.peripheral
        func receive(_ packet: String) {
            _ = link.receive(
                [UInt8](hex: packet).span, boundary: .firstFlushable, link: 0, table: air.table,
                delegate: &air.values)
        }
        receive("0300 0400 020502")
        for _ in 0..<100 { receive("0300 0400 0a0900") }
        #expect(link.droppedCount > 90)
        var answers = 0
        var reassembler = L2CAPReassembler()
        while link.hasFragment {
            var packet = FixedBuffer<255>()
            guard let boundary = link.nextFragment(maximumByteCount: 27, into: &packet) else { break }
            if reassembler.receive(packet.span, boundary: boundary) { answers += 1 }
        }
        #expect(answers == 101 - Int(link.droppedCount))
        #expect(reassembler.droppedCount == 0)
    }

    @Test func `a link takes little memory`() {
        #expect(MemoryLayout<GATTLink>.size < 4800)
    }
}

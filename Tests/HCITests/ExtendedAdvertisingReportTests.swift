import FixedMemory
import HCI
import TestSupport
import Testing

@Suite struct ExtendedAdvertisingReportTests {
    private struct Report: Equatable {
        var kind: UInt8
        var address: UInt64
        var isRandom: Bool
        var rssiDBm: Int8?
        var data: [UInt8]
    }

    private func reports(_ parameters: [UInt8]) throws -> (reports: [Report], isDamaged: Bool) {
        let packet = [4, 0x3e, UInt8(parameters.count + 1), 0x0d] + parameters
        guard case .extendedAdvertisingReports(var iterator) = try Event(packet.span) else {
            Issue.record("another event")
            return ([], false)
        }
        var found: [Report] = []
        while let report = iterator.next() {
            let data = report.data
            found.append(
                Report(
                    kind: report.kind.rawValue, address: report.address.value,
                    isRandom: report.address.isRandom,
                    rssiDBm: report.rssi?.dBm, data: data.indices.map { data[$0] }))
        }
        return (found, iterator.isDamaged)
    }

    /// A legacy advert in an extended report: type, address, PHYs, set, power, RSSI, interval, direct
    /// address, data.
    private func report(type: String = "1300", rssi: String = "c8", data: String = "03 020106") -> [UInt8] {
        [UInt8](hex: type + "01 665544332211 01 00 ff 7f" + rssi + "0000 00 000000000000" + data)
    }

    @Test func `a legacy advert is read`() throws {
        let found = try reports([1] + report())
        #expect(
            found.reports == [
                Report(kind: 0, address: 0x1122_3344_5566, isRandom: true, rssiDBm: -56, data: [2, 1, 6])
            ])
        #expect(!found.isDamaged)
    }

    @Test(
        arguments: [
            ("1300", 0), ("1500", 1), ("1200", 2), ("1000", 3), ("1b00", 4), ("1a00", 4), ("0100", 0),
            ("0500", 1),
            ("0200", 2), ("0000", 3), ("0800", 4),
        ] as [(String, UInt8)])
    func `event types are mapped to the legacy kinds`(_ type: String, _ kind: UInt8) throws {
        #expect(try reports([1] + report(type: type)).reports.map(\.kind) == [kind])
    }

    @Test func `HP-C27: an advert in several parts has one RSSI, in the last report`() throws {
        let found = try reports([3] + report(type: "2100") + report(type: "2100") + report(type: "0100"))
        #expect(found.reports.map(\.rssiDBm) == [nil, nil, -56])
        #expect(try reports([1] + report(type: "4100")).reports.map(\.rssiDBm) == [-56], "the rest was lost")
    }

    @Test func `every report of an event is read, and an unmeasured RSSI is unknown`() throws {
        let found = try reports([3] + report() + report(rssi: "7f") + report(data: "00"))
        #expect(found.reports.map(\.rssiDBm) == [-56, nil, -56])
        #expect(found.reports.map(\.data.count) == [3, 3, 0])
        #expect(!found.isDamaged)
    }

    @Test func `an event without all announced reports is damaged`() throws {
        #expect(try reports([2] + report()).isDamaged)
        #expect(try reports([]).isDamaged)
        #expect(try reports([1] + report(data: "04 020106")).isDamaged)
        let whole = report()
        for count in 0..<whole.count {
            let found = try reports([1] + whole.prefix(count))
            #expect(found.reports.isEmpty && found.isDamaged)
        }
    }
}

import FixedMemory
import HCI
import TestSupport
import Testing

@Suite struct AdvertisingReportTests {
    private struct Report: Equatable {
        var kind: UInt8
        var address: UInt64
        var isRandom: Bool
        var rssiDBm: Int8?
        var data: [UInt8]
    }

    private func reports(_ parameters: [UInt8]) -> (reports: [Report], isDamaged: Bool) {
        var iterator = AdvertisingReports(parameters.span)
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

    private let one = [UInt8](hex: "00 01 665544332211 03 020106 c8")

    @Test func `one report is read`() {
        let found = reports([1] + one)
        #expect(
            found.reports == [
                Report(
                    kind: 0, address: 0x1122_3344_5566, isRandom: true, rssiDBm: -56, data: [2, 1, 6])
            ])
        #expect(!found.isDamaged)
    }

    @Test(arguments: [2, 7, 25])
    func `every report of an event is read`(count: Int) {
        let found = reports([UInt8(count)] + Array(repeating: one, count: count).flatMap { $0 })
        #expect(found.reports.count == count)
        #expect(!found.isDamaged)
    }

    /// A legacy advert has at most 31 bytes. A longer one is read only if the event contains all its bytes.
    @Test func `a legacy report of 32 bytes is read only if all its bytes are there`() {
        let head = [UInt8](hex: "00 01 665544332211 20")
        let whole = reports([1] + head + Array(repeating: 0, count: 32) + [0xc8])
        #expect(whole.reports.map(\.data.count) == [32])
        #expect(!whole.isDamaged)
        let lacking = reports([1] + head + Array(repeating: 0, count: 31) + [0xc8])
        #expect(lacking.reports.isEmpty && lacking.isDamaged)
    }

    @Test func `a report without data or RSSI is kept`() {
        let found = reports([1] + [UInt8](hex: "04 00 010000000000 00 7f"))
        #expect(
            found.reports == [Report(kind: 4, address: 1, isRandom: false, rssiDBm: nil, data: [])])
    }

    @Test func `resolved identity addresses count as public and random`() {
        let publicIdentity = reports([1] + [UInt8](hex: "00 02 010000000000 00 c8")).reports
        let randomIdentity = reports([1] + [UInt8](hex: "00 03 010000000000 00 c8")).reports
        #expect(publicIdentity.first?.isRandom == false)
        #expect(randomIdentity.first?.isRandom == true)
    }

    @Test func `the reports before a damaged one are kept`() {
        for length in 1..<one.count {
            let found = reports([2] + one + one.prefix(length))
            #expect(found.reports.count == 1, "cut after \(length) bytes")
            #expect(found.isDamaged)
        }
    }

    @Test func `an empty event is damaged`() { #expect(reports([]).isDamaged) }

    @Test func `any bytes are read without a trap`() {
        let seed = UInt64.random(in: .min ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<20_000 {
            let found = reports(generator.bytes(Int.random(in: 0...255, using: &generator)))
            #expect(found.reports.count <= 25, "seed \(seed)")
        }
    }
}

@Suite struct AdvertisingStructuresTests {
    private func walk(_ advert: [UInt8]) -> (structures: [[UInt8]], isDamaged: Bool) {
        var iterator = AdvertisingStructures(advert.span)
        var found: [[UInt8]] = []
        while let structure = iterator.next() {
            let data = structure.data
            found.append([structure.type.rawValue] + data.indices.map { data[$0] })
        }
        return (found, iterator.isDamaged)
    }

    @Test func `the AD structures of an advert are read in order`() {
        let found = walk([UInt8](hex: "020106 0303f6fc 020a08"))
        #expect(found.structures == [[1, 6], [3, 0xf6, 0xfc], [0x0a, 8]])
        #expect(!found.isDamaged)
    }

    @Test func `padding is tolerated`() {
        #expect(walk([UInt8](hex: "00 020106 0000")).structures == [[1, 6]])
    }

    @Test func `iteration stops at a length behind the end and keeps the earlier structures`() {
        let found = walk([UInt8](hex: "020106 0aff4c00"))
        #expect(found.structures == [[1, 6]])
        #expect(found.isDamaged)
    }

    @Test func `a structure without data is returned`() {
        #expect(walk([UInt8](hex: "01ff")).structures == [[0xff]])
    }
}

import Authority
import Testing

@testable import Exposure

@Suite struct ExportBatchesTests {
    private func export(_ number: Int32?, of size: Int32?, endSeconds: UInt64 = 86_400) -> ExposureKeyExport {
        var export = ExposureKeyExport()
        export.endSeconds = endSeconds
        export.batchNumber = number
        export.batchSize = size
        return export
    }

    @Test func `a publication of one file, or without numbers, is complete`() {
        let batches = ExportBatches([export(1, of: 1), export(nil, of: nil)])
        #expect(batches.gaps.isEmpty && batches.impossible.isEmpty)
    }

    @Test func `the files that a publication lacks are named`() {
        #expect(ExportBatches([export(3, of: 3), export(1, of: 3), export(2, of: 3)]).gaps.isEmpty)
        #expect(
            ExportBatches([export(2, of: 3)]).gaps == [.init(endSeconds: 86_400, missing: [1, 3], size: 3)])
    }

    @Test func `publications of different times are different`() {
        let batches = ExportBatches([export(1, of: 2), export(2, of: 2, endSeconds: 172_800)])
        #expect(batches.gaps.map(\.missing) == [[2], [1]])
    }

    @Test(arguments: [(5, 2), (0, 2), (-1, 2), (1, 2_000_000_000)] as [(Int32, Int32)])
    func `a number that cannot be is told`(number: Int32, size: Int32) {
        let batches = ExportBatches([export(1, of: 1), export(number, of: size)])
        #expect(batches.impossible == [1] && batches.gaps.isEmpty)
    }
}

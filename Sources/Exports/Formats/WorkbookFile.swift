import Archive
import Foundation

/// All tables as one workbook (XLSX): a sheet for each, and one that explains the columns. Times are dates in
/// UTC, and cells of missing values are empty.
public struct WorkbookFile {
    let provenance: Provenance
    let tables: [ExportTable]

    public init(_ provenance: Provenance, tables: [ExportTable] = ExportTable.all) {
        self.provenance = provenance
        self.tables = tables
    }

    public func write(_ network: ContactNetwork, to output: ExportOutput) throws {
        let folder = FileManager.default.temporaryDirectory
        let path = folder.appending(path: "tabard-\(UUID().uuidString).xlsx").path
        defer { unlink(path) }
        let workbook = try Workbook(path: path, comments: provenance.line)
        for table in tables { try write(table, network, to: workbook) }
        try explain(in: workbook)
        try workbook.close()
        guard let file = FileHandle(forReadingAtPath: path) else { throw WorkbookError.failed("no file") }
        while output.works, let piece = try file.read(upToCount: 1 << 16), !piece.isEmpty {
            output.write([UInt8](piece))
        }
        try output.finish()
    }

    private func write(_ table: ExportTable, _ network: ContactNetwork, to workbook: Workbook) throws {
        let names = table.fields.map(\.name)
        let widths = table.fields.map { max(Double($0.name.count) + 2, $0.kind == .real ? 10 : 20) }
        try workbook.addSheet(table.name, headings: names, widths: widths)
        var row = 0
        var sheetCount = 1
        var failure: WorkbookError?
        try table.rows(network) { values in
            do throws(WorkbookError) {
                if row == Workbook.greatestRowCount {
                    row = 0
                    sheetCount += 1
                    try workbook.addSheet("\(table.name) \(sheetCount)", headings: names, widths: widths)
                }
                row += 1
                try workbook.write(values, row: row)
            } catch {
                failure = error
            }
            return failure == nil
        }
        if let failure { throw failure }
    }

    private func explain(in workbook: Workbook) throws(WorkbookError) {
        try workbook.addSheet("about", headings: ["table", "column", "meaning"], widths: [14, 22, 90])
        var rows: [[ExportValue]] = []
        for table in tables {
            rows.append([.text(table.name), .missing, .text(table.meaning)])
            rows += table.fields.map { [.text(table.name), .text($0.name), .text($0.meaning)] }
        }
        rows.append([.text("export"), .text("provenance"), .text(provenance.line)])
        for (index, row) in rows.enumerated() { try workbook.write(row, row: index + 1) }
    }
}

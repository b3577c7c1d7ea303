import Archive
import CommandLineText
import Exports
import Foundation
import KeyFiles

/// A folder with the tables of an export as CSV, and the dictionary of their columns.
struct ExportFolder {
    let path: String
    let force: Bool

    /// - Parameter others: further files of the export, by name.
    func write(
        _ tables: [ExportTable], of network: ContactNetwork, _ provenance: Provenance,
        others: [(name: String, text: String)] = []
    ) throws(Failure) {
        let names = tables.map { $0.name + ".csv" } + others.map(\.name) + [DataPackage.fileName]
        for name in names { try OutputFile.requireAbsence(of: "\(path)/\(name)", force: force) }
        do throws(DurableFileError) { try DurableFile.makeFolder(path) } catch { throw Failure(error) }
        Interruption.watch()
        var files: [DataPackage.File] = []
        for table in tables {
            let name = table.name + ".csv"
            var rowCount = 0
            let file = try ExportFileOptions.write(to: "\(path)/\(name)", force: force) {
                rowCount = try CSVTableFile(table).write(network, to: $0)
            }
            files.append(
                DataPackage.File(
                    name: name, table: table, byteCount: file.byteCount, rowCount: rowCount,
                    digest: file.digest()))
        }
        for other in others { try write(other.text, to: other.name) }
        try write(DataPackage(provenance, files).text, to: DataPackage.fileName)
        ExportText.report(network, path)
        ExportText.reportMissing(network)
    }

    private func write(_ text: String, to name: String) throws(Failure) {
        try OutputFile.write(Data(text.utf8), to: "\(path)/\(name)")
    }
}

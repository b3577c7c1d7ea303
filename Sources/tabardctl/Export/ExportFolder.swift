import Archive
import CommandLineText
import Exports
import Foundation
import KeyFiles

/// A folder with the tables of an export as CSV, and the dictionary of their columns.
struct ExportFolder {
    let path: String
    let force: Bool

    /// Refuses a folder that has one of the files already, before anything is read or made.
    ///
    /// - Parameter others: further files of the export.
    func requireAbsence(of tables: [String], others: [String] = []) throws(Failure) {
        try OutputFolder.require(path)
        for name in tables.map({ $0 + ".csv" }) + others + [DataPackage.fileName] {
            try OutputFile.requireAbsence(of: "\(path)/\(name)", force: force)
        }
    }

    /// - Parameter others: further files of the export, by name.
    func write(
        _ tables: [ExportTable], of network: ContactNetwork, _ provenance: Provenance,
        others: [(name: String, text: String)] = []
    ) throws(Failure) {
        try requireAbsence(of: tables.map(\.name), others: others.map(\.name))
        do throws(DurableFileError) { try DurableFile.makeFolder(path) } catch { throw Failure(error) }
        // An earlier dictionary must not outlive the files that it describes.
        if force { try? FileManager.default.removeItem(atPath: "\(path)/\(DataPackage.fileName)") }
        var written: [String] = []
        do throws(Failure) {
            try write(tables, of: network, provenance, others, &written)
        } catch {
            // A part of an export would look like a whole one.
            for name in written { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
            rmdir(path)
            throw error
        }
        ExportText.report(network, path)
        ExportText.reportMissing(network)
    }

    private func write(
        _ tables: [ExportTable], of network: ContactNetwork, _ provenance: Provenance,
        _ others: [(name: String, text: String)], _ written: inout [String]
    ) throws(Failure) {
        var files: [DataPackage.File] = []
        for table in tables {
            let name = table.name + ".csv"
            var rowCount = 0
            let file = try ExportFileOptions.write(to: "\(path)/\(name)", force: force) {
                rowCount = try CSVTableFile(table).write(network, to: $0)
            }
            written.append(name)
            files.append(
                DataPackage.File(
                    name: name, table: table, byteCount: file.byteCount, rowCount: rowCount,
                    digest: file.digest()))
        }
        for other in others {
            try write(other.text, to: other.name)
            written.append(other.name)
        }
        try write(DataPackage(provenance, files).text, to: DataPackage.fileName)
    }

    private func write(_ text: String, to name: String) throws(Failure) {
        try OutputFile.write(Data(text.utf8), to: "\(path)/\(name)")
    }
}

import Analysis
import Foundation
import KeyFiles

/// Writes the log files of one board into its own folder: each under a temporary name, then all are renamed.
public struct HeraldExport {
    public var generation: HeraldLogGeneration
    public var zone: LocalZone
    public var replacesFiles: Bool

    public init(
        generation: HeraldLogGeneration = .second, zone: LocalZone = .utc, replacesFiles: Bool = false
    ) {
        self.generation = generation
        self.zone = zone
        self.replacesFiles = replacesFiles
    }

    /// The folder names for these logs, in order and without duplicates: the board's name as far as file
    /// systems permit.
    public static func folderNames(_ logs: [(model: String, board: String)]) -> [String] {
        let names = logs.map { FolderName.text($0.model) }
        return zip(names, logs).map { name, log in
            names.filter { $0 == name }.count == 1 ? name : "\(name)-\(log.board)"
        }
    }

    /// Receives the number of rows written so far; returning false stops the export.
    public typealias Progress = (_ rowCount: Int, _ totalRowCount: Int) -> Bool

    /// The first existing file that the export would overwrite; nil if there is none.
    public func obstacle(in folder: String) -> String? {
        guard !replacesFiles else { return nil }
        return HeraldLogFiles.Name.allCases.map { folder + "/" + $0.rawValue }
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    /// Writes all files, or changes none. Only a failing rename can leave a mixture of old and new files.
    public func write(
        _ log: HeraldLog, to folder: String, progress: Progress = { _, _ in true }
    ) throws(HeraldExportError) {
        if let path = obstacle(in: folder) { throw .exists(path: path) }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: folder, DurableFile.errorNumber(error))
        }
        let files = HeraldLogFiles(log: log, generation: generation, zone: zone)
        let totalRowCount = log.rows.count * HeraldLogFiles.Name.allCases.filter(\.isLong).count
        var writtenRowCount = 0
        var written: [FileBeside] = []
        for name in HeraldLogFiles.Name.allCases {
            let file = try FileBeside(path: folder + "/" + name.rawValue)
            try files.write(name) { (bytes, rowCount) throws(HeraldExportError) in
                try file.append(bytes)
                writtenRowCount += rowCount
                guard progress(writtenRowCount, totalRowCount) else { throw .stopped }
            }
            written.append(file)
        }
        for file in written { try file.takePlace() }
    }
}

public enum HeraldExportError: Error, Equatable, Sendable {
    case exists(path: String)
    /// The system's error number (errno).
    case cannotWrite(path: String, Int32)
    /// The progress callback stopped the export.
    case stopped
}

/// Makes names that are a single visible path component and valid on all common file systems.
private enum FolderName {
    static func text(_ name: String) -> String {
        let safe = name.map { character in
            character.isLetter || character.isNumber || " -_+.".contains(character) ? character : "_"
        }
        let trimmed = String(safe.prefix(100)).trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty || trimmed.hasPrefix(".") ? "_" + trimmed : trimmed
    }
}

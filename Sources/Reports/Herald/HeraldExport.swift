import Analysis
import Foundation

/// Writes the files of one board into a folder of its own: each beside its place, then all renamed.
public struct HeraldExport {
    public var generation: HeraldLogGeneration
    public var timeZone: TimeZone
    public var replacesFiles: Bool

    public init(
        generation: HeraldLogGeneration = .second, timeZone: TimeZone = .gmt, replacesFiles: Bool = false
    ) {
        self.generation = generation
        self.timeZone = timeZone
        self.replacesFiles = replacesFiles
    }

    /// Names of folders for these logs, in their order, each another: the board's own as far as a file system takes
    /// it.
    public static func folderNames(_ logs: [(model: String, board: String)]) -> [String] {
        let names = logs.map { FolderName.text($0.model) }
        return zip(names, logs).map { name, log in
            names.filter { $0 == name }.count == 1 ? name : "\(name)-\(log.board)"
        }
    }

    /// How far the writing is, in rows; it stops when that says false.
    public typealias Progress = (_ rowCount: Int, _ totalRowCount: Int) -> Bool

    /// The first file that stands in the way; nil when there is none.
    public func obstacle(in folder: String) -> String? {
        guard !replacesFiles else { return nil }
        return HeraldLogFiles.Name.allCases.map { folder + "/" + $0.rawValue }
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    /// All files are written, or none is changed; only a rename that fails can leave some of each.
    public func write(
        _ log: HeraldLog, to folder: String, progress: Progress = { _, _ in true }
    ) throws(HeraldExportError) {
        if let path = obstacle(in: folder) { throw .exists(path: path) }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: folder, reason: error.localizedDescription)
        }
        let files = HeraldLogFiles(log: log, generation: generation, timeZone: timeZone)
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
    case cannotWrite(path: String, reason: String)
    /// Whoever watches the progress asked for it.
    case stopped
}

/// Names that are one component of a path, visible, and legal on all usual file systems.
private enum FolderName {
    static func text(_ name: String) -> String {
        let safe = name.map { character in
            character.isLetter || character.isNumber || " -_+.".contains(character) ? character : "_"
        }
        let trimmed = String(safe.prefix(100)).trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty || trimmed.hasPrefix(".") ? "_" + trimmed : trimmed
    }
}

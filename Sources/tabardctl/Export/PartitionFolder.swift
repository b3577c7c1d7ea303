import Archive
import CommandLineText
import Exports
import Foundation
import KeyFiles

/// The folder of a partitioned export. It is written beside its place, and moved there when it is whole.
struct PartitionFolder {
    private let path: String
    private let beside: String

    /// - Parameter force: replaces an earlier partitioned export, and nothing else.
    init(_ output: String, force: Bool) throws(Failure) {
        guard output != "-" else {
            throw Failure(.usage, "--partitioned writes a folder, not standard output; name a folder")
        }
        let rest = output.reversed().drop { $0 == "/" }
        path = rest.isEmpty ? output : String(rest.reversed())
        beside = "\(path).\(getpid()).part"
        try OutputFolder.require(path)
        guard force || !FileManager.default.fileExists(atPath: path) else {
            throw Failure(.cannotCreate, "\(path): already exists; --force overwrites it")
        }
        guard !FileManager.default.fileExists(atPath: path) || Self.isReplaceable(path) else {
            throw Failure(
                .cannotCreate, "\(path): not a partitioned export, so it is not replaced; name another folder"
            )
        }
    }

    /// Writes the folder as a whole or not at all.
    func write(_ export: PartitionedExport) throws(Failure) -> PartitionCounts {
        // An earlier process with the same number may have been killed and left this folder.
        try? FileManager.default.removeItem(atPath: beside)
        do throws(DurableFileError) { try DurableFile.makeFolder(beside) } catch { throw Failure(error) }
        Interruption.watch()
        do {
            let counts = try export.write(to: Store(folder: beside, name: path))
            try place()
            return counts
        } catch {
            try? FileManager.default.removeItem(atPath: beside)
            throw error as? Failure ?? Failure(archive: error, path)
        }
    }

    /// An empty folder, or a partitioned export.
    private static func isReplaceable(_ path: String) -> Bool {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        guard !names.isEmpty else { return true }
        let summary = URL(filePath: path).appending(path: PartitionedExport.summaryName)
        guard let bytes = try? Data(contentsOf: summary),
            let object = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any]
        else { return false }
        return object["format"] as? String == PartitionCounts.format
    }

    /// Moves the folder to its place. A former one is only removed after that.
    private func place() throws(Failure) {
        let former = "\(path).\(getpid()).old"
        let isReplacing = FileManager.default.fileExists(atPath: path)
        if isReplacing, rename(path, former) != 0 { throw Failure(cannotWrite: path, errno) }
        guard rename(beside, path) == 0 else {
            let code = errno
            if isReplacing { rename(former, path) }
            throw Failure(cannotWrite: path, code)
        }
        if isReplacing { try? FileManager.default.removeItem(atPath: former) }
    }

    private struct Store: PartitionStore {
        let folder: String
        let name: String

        func open(_ path: String) throws -> any PartitionFile {
            let place = "\(folder)/\(path)"
            try DurableFile.makeFolder(DurableFile.folder(of: place))
            return try File(place, name: "\(name)/\(path)")
        }
    }

    private final class File: PartitionFile {
        private let handle: FileHandle
        private let name: String
        private var pending = Data()

        private static let pieceByteCount = 1 << 18

        init(_ path: String, name: String) throws(Failure) {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else { throw Failure(cannotWrite: name, errno) }
            handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            self.name = name
        }

        func write(_ bytes: [UInt8]) throws {
            pending.append(contentsOf: bytes)
            if pending.count >= Self.pieceByteCount { try flush() }
        }

        func finish() throws {
            try flush()
            try handle.close()
        }

        private func flush() throws(Failure) {
            guard !Interruption.isRequested else {
                throw Failure(.tryAgain, "interrupted; the export was not written")
            }
            do { try handle.write(contentsOf: pending) } catch {
                throw Failure(cannotWrite: name, DurableFile.errorNumber(error))
            }
            pending.removeAll(keepingCapacity: true)
        }
    }
}

extension ExportText {
    static func report(_ counts: PartitionCounts, _ path: String) {
        Console.report(
            "\(path): \(Count.text(counts.encounters, "encounter")) on \(Count.text(counts.days, "day")), "
                + "\(Count.text(counts.samples, "sample")), \(Count.text(counts.served, "period")) of "
                + "\(Count.text(counts.boards, "board"))")
        if counts.undated > 0 {
            Console.report(
                "\(Count.text(counts.undated, "encounter has", "encounters have")) no wall-clock time; they are in "
                    + "day=\(PartitionedExport.noDay)")
        }
        if counts.withoutIdentity > 0 {
            Console.report(
                "left out: \(Count.text(counts.withoutIdentity, "encounter")) with peers that gave no identity"
            )
        }
        if counts.lost > 0 {
            Console.report(
                "left out: \(Count.text(counts.lost, "encounter")) that lost the identity with pages of the log"
            )
        }
    }
}

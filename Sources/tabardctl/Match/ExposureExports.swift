import Authority
import CommandLineText
import Cryptography
import Exposure
import FixedMemory
import Foundation
import KeyFiles
import Reports

/// Export files of Exposure Notification on a disk.
struct ExposureExports {
    let keys: PublishedKeys
    private let batches: ExportBatches
    private let paths: [String]

    /// - Parameter verificationKey: a PEM file; nil to accept any signature.
    init(_ paths: [String], signedBy verificationKey: String?) throws(Failure) {
        let key: P256PublicKey? =
            if let verificationKey { try Keys.publicHalf(verificationKey, from: .published) } else { nil }
        var exports: [ExposureKeyExport] = []
        var files: [String] = []
        for path in paths { files += try Self.files(path) }
        for path in files {
            let package = try Self.package(path, isSigned: key != nil)
            do throws(ExportFileError) {
                if let key {
                    exports.append(try package.export(signedBy: key))
                } else {
                    exports.append(try ExposureKeyExport(file: package.file))
                }
            } catch {
                throw Failure(error, path)
            }
        }
        keys = PublishedKeys(exports)
        batches = ExportBatches(exports)
        self.paths = files
    }

    private static let namedRefusalCount = 5

    /// A line for each key that was left out, up to some, and for each file that is missing.
    var notes: [String] {
        var notes = keys.refusals.prefix(Self.namedRefusalCount).map { refusal in
            let key = refusal.place.map { "key \($0)" } ?? "a key"
            return "\(paths[refusal.export]): \(key) was skipped: \(refusal.defect)"
        }
        let rest = keys.refusals.count - notes.count
        if rest > 0 { notes.append("\(rest) more invalid published keys were skipped") }
        for gap in batches.gaps {
            let numbers = gap.missing.prefix(10).map(String.init).joined(separator: ", ")
            let end = gap.endSeconds.map { " that ends at \(TimeText.utc(WallClockTime(seconds: $0)))" } ?? ""
            notes.append(
                "the publication\(end) has \(gap.size) files, and number \(numbers) is missing; fetch it, or "
                    + "its keys are not searched for")
        }
        for index in batches.impossible {
            notes.append("\(paths[index]): its number is not among those of its publication; fetch it again")
        }
        return notes
    }

    /// The exports that a path stands for: itself, or the zip files of a folder without `export.bin`.
    private static func files(_ path: String) throws(Failure) -> [String] {
        let folder = URL(filePath: path)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path),
            !names.contains(ExportPackage.fileName)
        else { return [path] }
        let zips = names.filter { $0.lowercased().hasSuffix(".zip") }.sorted()
        guard !zips.isEmpty else {
            throw Failure(
                .noInput, "\(path): neither export.bin nor a zip file in this folder; check the name")
        }
        return zips.map { folder.appending(path: $0).path }
    }

    private static func package(_ path: String, isSigned: Bool) throws(Failure) -> ExportPackage {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure(.noInput, "\(path): no such file or folder; check the name")
        }
        let filePath =
            isFolder.boolValue
            ? URL(filePath: path).appending(path: ExportPackage.fileName).path : path
        let file = try read(filePath)
        if let program = CompressedFile.unpacker(of: file) {
            throw Failure(.data, "\(path): a compressed file; unpack it with `\(program)` first")
        }
        do throws(ExportFileError) {
            guard file.starts(with: ExposureKeyExport.header) else { return try ExportPackage(zip: file) }
        } catch {
            throw Failure(error, path)
        }
        let besides = URL(filePath: filePath).deletingLastPathComponent()
            .appending(path: ExportPackage.signaturesName).path
        let signatures = isSigned ? try read(besides) : []
        do throws(ExportFileError) {
            return try ExportPackage(file: file, signatures: signatures)
        } catch {
            throw Failure(error, besides)
        }
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        do throws(DurableFileError) {
            return try DurableFile.read(path, maximumByteCount: ExportPackage.maximumByteCount)
        } catch {
            if case .tooLong = error { throw Failure(ExportFileError.tooLong, path) }
            throw Failure(error)
        }
    }
}

extension Failure {
    fileprivate init(_ error: ExportFileError, _ path: String) {
        switch error {
        case .noHeader, .malformed:
            self.init(.data, "\(path): not an Exposure Notification export, or damaged; fetch it again")
        case .notSigned:
            self.init(
                .data, "\(path): not signed with this key; check the authority's key, or fetch the file again"
            )
        case .noPackage:
            self.init(
                .data, "\(path): not an export file or a readable zip file; fetch it again")
        case .missingFile:
            self.init(
                .data, "\(path): the zip file lacks export.bin or export.sig; check that it is an export")
        case .otherCompression:
            self.init(
                .data, "\(path): the zip file is not packed by deflate; unpack it, and give the folder")
        case .tooLong:
            self.init(.data, "\(path): longer than 64 MiB, too long for an export; check the file")
        case .cryptography:
            self.init(.unavailable, "\(path): not enough memory to check its signature; try again")
        }
    }
}

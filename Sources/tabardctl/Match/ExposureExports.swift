import Authority
import CommandLineText
import Cryptography
import Exposure
import Foundation
import Reports

/// Export files of Exposure Notification on a disk.
struct ExposureExports {
    let keys: PublishedKeys

    /// - Parameter verificationKey: a PEM file; nil to accept any signature.
    init(_ paths: [String], signedBy verificationKey: String?) throws(Failure) {
        let key: P256PublicKey? =
            if let verificationKey { try Keys.publicHalf(verificationKey, from: .published) } else { nil }
        var exports: [ExposureKeyExport] = []
        for path in paths {
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
        do {
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            let data = try file.read(upToCount: ExportPackage.maximumByteCount + 1) ?? Data()
            guard data.count <= ExportPackage.maximumByteCount else {
                throw Failure(ExportFileError.tooLong, path)
            }
            return [UInt8](data)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.noInput, "\(path): cannot read the file; check the name")
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
        case .tooLong:
            self.init(.data, "\(path): longer than 64 MiB, too long for an export; check the file")
        case .cryptography:
            self.init(.unavailable, "\(path): not enough memory to check its signature; try again")
        }
    }
}

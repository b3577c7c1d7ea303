import Cryptography
import FixedMemory

/// A publication of an authority: an export file and its signatures, in one zip file. Source: Exposure
/// Notification, Key Export File Format.
public struct ExportPackage: Equatable, Sendable {
    public static let fileName = "export.bin"
    public static let signaturesName = "export.sig"
    /// The limit for either unpacked file: two million keys. An entry that claims a larger size is not read.
    public static let maximumByteCount = 64 << 20

    /// `export.bin`, as it was signed.
    public var file: [UInt8]
    /// `export.sig`.
    public var signatures: ExportSignatures

    /// Makes a package to publish: signed, with sorted keys, and padded with random keys up to the given
    /// number.
    public init(
        signing export: ExposureKeyExport, paddedTo minimumKeyCount: Int = ExposureKeyExport.minimumKeyCount,
        with key: inout P256PrivateKey, entropy: Entropy
    ) throws(ExportFileError) {
        var generator = SystemRandomNumberGenerator()
        var export = export
        export.pad(to: minimumKeyCount, using: &generator)
        file = export.file
        signatures = try ExportSignatures(signing: export, with: &key, entropy: entropy)
    }

    /// Makes a package of its two files.
    public init(file: [UInt8], signatures: [UInt8]) throws(ExportFileError) {
        self.file = file
        self.signatures = try ExportSignatures(file: signatures)
    }

    /// Reads a zip file. Other entries in it are ignored.
    public init(zip: [UInt8]) throws(ExportFileError) {
        let (file, signatures) = try Self.files(zip)
        try self.init(file: file, signatures: signatures)
    }

    public var zip: [UInt8] {
        var writer = ZipWriter()
        writer.append(Self.fileName, file)
        writer.append(Self.signaturesName, signatures.file)
        return writer.file
    }

    /// The export, after verifying its publisher.
    ///
    /// - Throws: `.notSigned` unless the file is signed with this key.
    public func export(signedBy key: P256PublicKey) throws(ExportFileError) -> ExposureKeyExport {
        try signatures.verify(file: file, by: key)
        return try ExposureKeyExport(file: file)
    }

    private static func files(
        _ zip: [UInt8]
    ) throws(ExportFileError) -> (file: [UInt8], signatures: [UInt8]) {
        do throws(ZipError) {
            let reader = try ZipReader(zip)
            return (
                try reader.contents(of: fileName, maximumByteCount: maximumByteCount),
                try reader.contents(of: signaturesName, maximumByteCount: maximumByteCount)
            )
        } catch {
            throw ExportFileError(error)
        }
    }
}

extension ExportFileError {
    fileprivate init(_ error: ZipError) {
        switch error {
        case .malformed: self = .noPackage
        case .missing: self = .missingFile
        case .tooLong: self = .tooLong
        case .otherCompression: self = .otherCompression
        }
    }
}

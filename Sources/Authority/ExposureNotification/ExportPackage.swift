import Cryptography
import FixedMemory

/// What an authority hands out: an export file and the signatures over it, in one zip file. Source: Exposure Notification,
/// Key Export File Format.
public struct ExportPackage: Equatable, Sendable {
    public static let fileName = "export.bin"
    public static let signaturesName = "export.sig"
    /// Of either file, unpacked: two million keys. What says that it is longer is not read.
    public static let maximumByteCount = 64 << 20

    /// `export.bin`, as it was signed.
    public var file: [UInt8]
    /// `export.sig`
    public var signatures: ExportSignatures

    /// Makes one to publish: keys sorted, made-up ones among them if there are fewer than asked for, signed.
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

    /// Two files as they lie beside each other.
    public init(file: [UInt8], signatures: [UInt8]) throws(ExportFileError) {
        self.file = file
        self.signatures = try ExportSignatures(file: signatures)
    }

    /// Reads a zip file. Other entries in it are passed over.
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

    /// What the keys' publisher says, once it is certain that it was this one.
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
        }
    }
}

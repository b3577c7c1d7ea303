import FixedMemory
import Schemes

/// What an export file says (`export.bin`): the keys of people who have fallen ill. Source: Exposure Notification, Key
/// Export File Format. A field that is nil was not there; fields that are not listed here are passed over.
public struct ExposureKeyExport: Equatable, Sendable {
    /// What every file begins with.
    public static let header = Array("EK Export v1    ".utf8)

    /// 1, 2: seconds since 1970 UTC.
    public var startSeconds: UInt64?
    public var endSeconds: UInt64?
    /// 3
    public var region: String?
    /// 4, 5: from 1.
    public var batchNumber: Int32?
    public var batchSize: Int32?
    /// 6
    public var signatureInfos: [ExportSignatureInfo] = []
    /// 7
    public var keys: [ExportedKey] = []
    /// 8
    public var revisedKeys: [ExportedKey] = []

    public init() {}

    /// The whole file. Keys are written in the order that they have: sort them first (``sortKeys()``).
    public var file: [UInt8] {
        var writer = ProtobufWriter()
        writer.append(1, fixed64: startSeconds)
        writer.append(2, fixed64: endSeconds)
        writer.append(3, string: region)
        writer.append(4, int32: batchNumber)
        writer.append(5, int32: batchSize)
        for info in signatureInfos { writer.append(6, bytes: info.encoded) }
        for key in keys { writer.append(7, bytes: key.encoded) }
        for key in revisedKeys { writer.append(8, bytes: key.encoded) }
        return Self.header + writer.bytes
    }

    /// By their bytes, so that nothing shows which belong together.
    public mutating func sortKeys() {
        keys.sort { $0.data.lexicographicallyPrecedes($1.data) }
        revisedKeys.sort { $0.data.lexicographicallyPrecedes($1.data) }
    }

    /// Reads a file. Whether anybody signed it is ``ExportSignatures``' matter: ask that first.
    public init(file: [UInt8]) throws(ExportFileError) {
        guard file.starts(with: Self.header) else { throw .noHeader }
        var reader = ProtobufReader(file.dropFirst(Self.header.count))
        while let field = try reader.next() {
            switch field.number {
            case 1: startSeconds = try require(field.value.fixed64)
            case 2: endSeconds = try require(field.value.fixed64)
            case 3: region = try require(field.value.string)
            case 4: batchNumber = try require(field.value.int32)
            case 5: batchSize = try require(field.value.int32)
            case 6: signatureInfos.append(try ExportSignatureInfo(try require(field.value.bytes)))
            case 7: keys.append(try ExportedKey(try require(field.value.bytes)))
            case 8: revisedKeys.append(try ExportedKey(try require(field.value.bytes)))
            default: break
            }
        }
    }
}

public enum ExportFileError: Error, Equatable, Sendable {
    /// The file does not begin as export files do.
    case noHeader
    /// Not a protocol buffer of this kind.
    case malformed
    /// No signature of this key over this file.
    case notSigned
    /// No zip file, or not one that can be read.
    case noPackage
    /// A zip file without `export.bin` or `export.sig`.
    case missingFile
    /// A file in a zip file is longer than ``ExportPackage/maximumByteCount``.
    case tooLong
    /// mbedTLS had no memory left, or the source of randomness gave nothing.
    case cryptography
}

func require<Value>(_ value: Value?) throws(ExportFileError) -> Value {
    guard let value else { throw .malformed }
    return value
}

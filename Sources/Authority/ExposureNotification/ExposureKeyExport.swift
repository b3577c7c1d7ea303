import FixedMemory
import Schemes

/// The contents of an export file (`export.bin`): the keys of people who have fallen ill. Source: Exposure
/// Notification, Key Export File Format. A nil field was absent; fields not listed here are ignored.
public struct ExposureKeyExport: Equatable, Sendable {
    /// The first bytes of every file.
    public static let header = Array("EK Export v1    ".utf8)

    /// Fields 1 and 2: seconds since 1970 UTC.
    public var startSeconds: UInt64?
    public var endSeconds: UInt64?
    /// Field 3.
    public var region: String?
    /// Fields 4 and 5: counted from 1.
    public var batchNumber: Int32?
    public var batchSize: Int32?
    /// Field 6.
    public var signatureInfos: [ExportSignatureInfo] = []
    /// Field 7.
    public var keys: [ExportedKey] = []
    /// Field 8.
    public var revisedKeys: [ExportedKey] = []
    /// The number of keys whose fields cannot be read.
    public private(set) var unreadableKeyCount = 0

    public init() {}

    /// The whole file. Keys are written in their current order: sort them first (``sortKeys()``).
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

    /// Sorts keys by their bytes, so that the order does not reveal which belong together.
    public mutating func sortKeys() {
        keys.sort { $0.data.lexicographicallyPrecedes($1.data) }
        revisedKeys.sort { $0.data.lexicographicallyPrecedes($1.data) }
    }

    /// Parses a file. This does not verify its signature: use ``ExportSignatures`` first.
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
            case 7: take(try require(field.value.bytes), into: \.keys)
            case 8: take(try require(field.value.bytes), into: \.revisedKeys)
            default: break
            }
        }
    }
}

extension ExposureKeyExport {
    /// One bad key must not cost the others of the day.
    private mutating func take(_ bytes: [UInt8], into list: WritableKeyPath<Self, [ExportedKey]>) {
        if let key = try? ExportedKey(bytes) {
            self[keyPath: list].append(key)
        } else {
            unreadableKeyCount += 1
        }
    }
}

public enum ExportFileError: Error, Equatable, Sendable {
    /// The file does not begin like an export file.
    case noHeader
    /// Not a protocol buffer of this kind.
    case malformed
    /// This key made no signature over this file.
    case notSigned
    /// Not a readable zip file.
    case noPackage
    /// A zip file without `export.bin` or `export.sig`.
    case missingFile
    /// A file in the zip file is longer than ``ExportPackage/maximumByteCount``.
    case tooLong
    /// A file in the zip file is packed by a method other than deflate.
    case otherCompression
    /// mbedTLS ran out of memory, or the source of randomness failed.
    case cryptography
}

func require<Value>(_ value: Value?) throws(ExportFileError) -> Value {
    guard let value else { throw .malformed }
    return value
}

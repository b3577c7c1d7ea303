import FixedMemory
import Schemes

/// A key with the fields of an export file.
public struct ExportedKey: Equatable, Sendable {
    public static let standardRollingPeriod: Int32 = 144

    /// Field 1.
    public var data: [UInt8]
    /// Field 2: deprecated.
    public var transmissionRisk: Int32?
    /// Field 3.
    public var rollingStart: Int32?
    /// Field 4: 144 if absent.
    public var rollingPeriod: Int32?
    /// Field 5: 0 unknown, 1 confirmed by a test, 2 by a physician, 3 self-reported, 4 recursive, 5 revoked.
    public var reportType: Int32?
    /// Field 6.
    public var daysSinceOnset: Int32?

    public init(
        data: [UInt8], transmissionRisk: Int32? = nil, rollingStart: Int32? = nil,
        rollingPeriod: Int32? = nil, reportType: Int32? = nil, daysSinceOnset: Int32? = nil
    ) {
        self.data = data
        self.transmissionRisk = transmissionRisk
        self.rollingStart = rollingStart
        self.rollingPeriod = rollingPeriod
        self.reportType = reportType
        self.daysSinceOnset = daysSinceOnset
    }

    /// The key for expanding identifiers.
    /// - Throws: ``ExportedKeyDefect`` if the file has values that no key can have.
    public func key() throws(ExportedKeyDefect) -> TemporaryExposureKey {
        guard let bytes = Bytes<16>(data) else { throw .wrongLength(data.count) }
        guard let start = rollingStart else { throw .noRollingStart }
        let period = rollingPeriod ?? Self.standardRollingPeriod
        let key = UInt32(exactly: period).flatMap {
            try? TemporaryExposureKey(
                data: bytes, rollingStart: ExposureNotificationInterval(number: UInt32(bitPattern: start)),
                rollingPeriod: $0)
        }
        guard let key else { throw .wrongRollingPeriod(period) }
        return key
    }

    var encoded: [UInt8] {
        var writer = ProtobufWriter()
        writer.append(1, bytes: data)
        writer.append(2, int32: transmissionRisk)
        writer.append(3, int32: rollingStart)
        writer.append(4, int32: rollingPeriod)
        writer.append(5, int32: reportType)
        writer.append(6, sint32: daysSinceOnset)
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(ExportFileError) {
        self.init(data: [])
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: data = try require(field.value.bytes)
            case 2: transmissionRisk = try require(field.value.int32)
            case 3: rollingStart = try require(field.value.int32)
            case 4: rollingPeriod = try require(field.value.int32)
            case 5: reportType = try require(field.value.int32)
            case 6: daysSinceOnset = try require(field.value.sint32)
            default: break
            }
        }
    }
}

/// Why a key of an export or a report cannot be used. It does not concern the keys beside it.
public enum ExportedKeyDefect: Error, Equatable, Sendable {
    /// It has not 16 bytes.
    case wrongLength(Int)
    case noRollingStart
    /// It is not 1 to 144, or passes the last interval.
    case wrongRollingPeriod(Int32)
    /// Its fields cannot be read.
    case unreadable
}

extension ExportedKeyDefect: CustomStringConvertible {
    public var description: String {
        switch self {
        case .wrongLength(let count): "\(count) bytes instead of 16"
        case .noRollingStart: "no rolling start"
        case .wrongRollingPeriod(let period): "rolling period \(period), not 1 to 144"
        case .unreadable: "unreadable fields"
        }
    }
}

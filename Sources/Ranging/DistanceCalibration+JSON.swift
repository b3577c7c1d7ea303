import Foundation

extension DistanceCalibration {
    public static let formatName = "tabard-distance-calibration"
    public static let formatVersion = 1
    public static let longestFileBytes = 8 << 20

    /// Why a file cannot be read as a calibration.
    public enum FileFailure: Error, Equatable, CustomStringConvertible {
        case tooLong
        case notCalibration(String)
        case versionUnknown(Int)
        case valueInvalid(String)

        public var description: String {
            switch self {
            case .tooLong: "longer than \(longestFileBytes) bytes"
            case .notCalibration(let detail): "not a distance calibration: \(detail)"
            case .versionUnknown(let version):
                "version \(version) of the format; this program reads version \(formatVersion)"
            case .valueInvalid(let name): "\"\(name)\" is missing, or out of its range"
            }
        }
    }

    /// The calibration as a file: JSON with sorted keys, so that the same calibration gives the same bytes.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(CalibrationDocument(self)) + Data("\n".utf8)
    }

    /// Reads a file of ``json()``. Files may be edited by hand, so every value is checked.
    public init(json: Data) throws(FileFailure) {
        guard json.count <= Self.longestFileBytes else { throw .tooLong }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let header: CalibrationDocument.Header
        do { header = try decoder.decode(CalibrationDocument.Header.self, from: json) } catch {
            throw .notCalibration("expected a JSON object with \"format\" and \"version\"")
        }
        guard header.format == Self.formatName else { throw .notCalibration("\"format\" is another") }
        guard header.version == Self.formatVersion else { throw .versionUnknown(header.version) }
        let document: CalibrationDocument
        do { document = try decoder.decode(CalibrationDocument.self, from: json) } catch {
            throw .valueInvalid(CalibrationDocument.name(of: error))
        }
        self = try document.calibration()
    }
}

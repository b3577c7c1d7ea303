import Archive
import ArgumentParser
import CommandLineText
import Foundation
import Ranging
import Reports

/// The calibration by which a command estimates distances.
struct CalibrationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Calibration for distances (`tabardctl calibrate --save`); default: distance.json beside the keys.",
            valueName: "file"))
    var calibration: String?

    /// Beside the keys and the settings, so that it counts for every command.
    static var usualPath: String { UserFolders.configuration + "/distance.json" }

    /// Without the option and without a file in the usual place, no contact has a distance.
    func distances(in archive: Archive) throws(Failure) -> ContactDistances {
        let labels = try archiving { () throws(ArchiveError) in try archive.labels() }
        let path = calibration ?? Self.usualPath
        guard calibration != nil || FileManager.default.fileExists(atPath: path) else {
            return ContactDistances(nil, labels: labels)
        }
        return ContactDistances(try Self.read(path), labels: labels)
    }

    private static func read(_ path: String) throws(Failure) -> DistanceCalibration {
        let bytes = try Documents.bytes(path)
        do throws(DistanceCalibration.FileFailure) { return try DistanceCalibration(json: Data(bytes)) } catch
        {
            throw Failure(.data, "\(path): \(error); write it again with `tabardctl calibrate --save`")
        }
    }
}

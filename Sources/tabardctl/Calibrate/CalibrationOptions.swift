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
            valueName: "file"), completion: .file())
    var calibration: String?

    /// Beside the keys and the settings, so that it counts for every command.
    static var usualPath: String { UserFolders.configuration + "/distance.json" }

    func distances(in archive: Archive) throws(Failure) -> ContactDistances {
        ContactDistances(
            try read(), labels: try archiving { () throws(ArchiveError) in try archive.labels() })
    }

    /// Nil without the option and without a file in the usual place; then no contact has a distance.
    func read() throws(Failure) -> DistanceCalibration? {
        let path = calibration ?? Self.usualPath
        guard calibration != nil || FileManager.default.fileExists(atPath: path) else { return nil }
        let bytes = try Documents.bytes(path)
        do throws(DistanceCalibration.FileFailure) { return try DistanceCalibration(json: Data(bytes)) } catch
        {
            throw Failure(.data, "\(path): \(error); write it again with `tabardctl calibrate --save`")
        }
    }
}

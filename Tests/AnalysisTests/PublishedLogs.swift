import Foundation
import Testing

/// Raw logs of a formal test that the Herald project published with its figures: four phones, twelve hours
/// (theheraldproject.github.io, `results/herald-2020-12-08`, Apache-2.0).
///
/// They are not in this repository. `TABARD_DATA` names the folder with the file, by default `../shared/data`
/// beside it.
enum PublishedLogs {
    /// Nil if the file or the program to unpack it is missing.
    static let archive: String? = {
        let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder =
            ProcessInfo.processInfo.environment["TABARD_DATA"]
            ?? repository.deletingLastPathComponent().appending(path: "shared/data").path
        let path = folder + "/herald-2020-12-08.zip"
        let files = FileManager.default
        return files.fileExists(atPath: path) && files.isExecutableFile(atPath: unzip) ? path : nil
    }()

    /// Reads a file of the archive piece by piece.
    static func read(_ name: String, _ take: ([UInt8]) throws -> Void) throws {
        let process = Process()
        process.executableURL = URL(filePath: unzip)
        process.arguments = ["-p", try #require(archive), "20201208/" + name]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        while let piece = try pipe.fileHandleForReading.read(upToCount: 1 << 16), !piece.isEmpty {
            try take([UInt8](piece))
        }
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private static let unzip = "/usr/bin/unzip"
}

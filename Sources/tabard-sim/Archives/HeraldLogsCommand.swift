import Archive
import ArgumentParser
import CommandLineText
import Foundation

/// Brings the logs of phones with Herald through the whole chain of a board's.
struct HeraldLogsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald-logs", abstract: "Write an archive from the logs of phones with Herald.",
        usage: "tabard-sim herald-logs <folder> <file>",
        discussion: """
            Examples:
              tabard-sim herald-logs 20201208 archive.sqlite

            Each folder in the folder has contacts.csv and detection.csv of a phone. The archive gets the log \
            of a board in each phone's place, written by the board's own code: the same readings, payloads \
            and times, which are taken for UTC. `tabardctl archive upgrade` decodes it.
            """)

    @Argument(help: "The folder with a folder for each phone.") var folder: String
    @Argument(help: "The archive; it must not exist.") var file: String

    func run() throws {
        guard !FileManager.default.fileExists(atPath: file) else {
            throw Failure(.cannotCreate, "\(file): exists already; delete it, or name another file")
        }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        let folders = (names ?? []).sorted().map { URL(filePath: folder).appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.appending(path: "contacts.csv").path) }
        guard !folders.isEmpty else {
            throw Failure(.noInput, "\(folder): no folder in it has contacts.csv; check the name")
        }
        let phones = try folders.map { try HeraldPhone(folder: $0) }
        let archive = try Archive(path: file, access: .create)
        for (number, phone) in phones.enumerated() {
            try HeraldPhoneLog(number, phone).store(in: archive)
            ProgressText.show("\(number + 1) of \(phones.count) phones")
        }
        ProgressText.clear()
        try archive.checkpoint()
        try archive.close()
        print("\(file): the logs of \(phones.count) phones")
    }
}

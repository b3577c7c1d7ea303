import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation

/// Makes an archive of any size, as a part of `make bench`.
struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive", abstract: "Write an archive with the logs of boards that met many people.",
        usage: "tabard-sim archive [<options>] <file>",
        discussion: """
            Examples:
              tabard-sim archive --encounters 100000 archive.sqlite
              tabard-sim archive --published export.bin --keys 28000 archive.sqlite

            The archive has the boards' logs, as `tabardctl sync` would store them, and not the tables \
            that are decoded from them: `tabardctl archive upgrade` makes these. A day has 1000 encounters, \
            or a thousandth of all in a larger archive; the first day has 1000 in any. A tenth of them are \
            meetings of two boards. Each encounter has 8 samples. Equal options give equal logs.

            With --published the others carry phones with Exposure Notification. The file is an export of \
            keys, unsigned, as of the end of the archive: those of one phone of 500, for 14 days, and \
            random ones.

            Tests/Benchmarks/host.py runs the command, and measures what tabardctl does with the result.
            """)

    @Option(help: "Number of encounters, 1000 to 100000000.") var encounters = 100_000
    @Option(help: "Number of boards, 2 to 1000.") var boards = 10
    @Option(help: "Seed of everything that is random.") var seed: UInt64 = 1
    @Option(help: ArgumentHelp("Export of phones' keys that is written.", valueName: "file")) var published:
        String?
    @Option(help: "Number of keys in it, 1 to 1000000.") var keys = 28_000
    @Argument(help: "The file; it must not exist.") var file: String

    func validate() throws {
        guard (1_000...100_000_000).contains(encounters) else {
            throw ValidationError("--encounters \(encounters): write 1000 to 100000000")
        }
        guard (2...1_000).contains(boards) else {
            throw ValidationError("--boards \(boards): write 2 to 1000")
        }
        guard (1...1_000_000).contains(keys) else {
            throw ValidationError("--keys \(keys): write 1 to 1000000")
        }
    }

    func run() throws {
        for file in [file, published].compactMap(\.self) where FileManager.default.fileExists(atPath: file) {
            throw Failure(.cannotCreate, "\(file): exists already; delete it, or name another file")
        }
        let plan = MeetingPlan(
            encounterCount: encounters, boardCount: boards, seed: seed, hasPhones: published != nil)
        let archive = try Archive(path: file, access: .create)
        for board in 0..<boards {
            try SampleBoardLog(board, plan).store(in: archive)
            ProgressText.show("\(board + 1) of \(boards) boards")
        }
        ProgressText.clear()
        try archive.checkpoint()
        try archive.close()
        if let published, let phones = plan.phones {
            let export = try phones.published(
                phoneCount: MeetingPlan.strangerCount, dayCount: plan.dayCount, count: keys)
            try Data(export.file).write(to: URL(filePath: published))
        }
        print("\(file): \(plan.encounterCount) encounters of \(boards) boards on \(plan.dayCount) days")
    }
}

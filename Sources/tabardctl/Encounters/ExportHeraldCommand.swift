import Analysis
import Archive
import ArgumentParser
import CommandLineText
import Foundation
import LogContents
import Reports

struct ExportHeraldCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Write the logs that a phone with Herald would have written.",
        discussion: """
            A folder per board, with contacts.csv, detection.csv, statistics.csv, statistics_didRead.csv, rssi.csv and \
            encounters.csv: what Herald's analysis scripts read, and `tabardctl analyse formal`. Where the board kept every \
            reading, each is a row; else a sample of several is one, at the time of its last. docs/export-herald.md has every rule.

            Examples:
              tabardctl export herald --output test-1
              tabardctl export herald --output test-1 --generation 1 --time-zone local --since 12h
              tabardctl export herald --output test-1 --unite-identities --since 12h
              tabardctl export herald --output test-1 --payload Foyer=303a0304004ee01000 --force
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("The folder in which each board gets one of its own.", valueName: "folder"))
    var output: String

    @Option(help: "The format: 1 is Herald's up to version 1.2 (9 columns), 2 that of version 2 (11).")
    var generation = 2

    @Option(
        help: ArgumentHelp(
            "The clock of the times: utc, local, or a zone such as Europe/London. All logs that are analysed "
                + "together must have one.", valueName: "zone"))
    var timeZone = "utc"

    @Option(
        help: ArgumentHelp(
            "The payload that a board served, where its log does not say it: others' logs are matched with it. May be "
                + "repeated.",
            valueName: "board=hex"))
    var payload: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Write all payloads that a board of the archive served as the first of them: for tests with boards that "
                + "change their identity, each of which is one device to Herald's scripts then."))
    var uniteIdentities = false

    @Flag(help: "Replace files that exist.")
    var force = false

    @OptionGroup var time: TimeOptions
    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let export = HeraldExport(
            generation: try heraldGeneration(), timeZone: try zone(), replacesFiles: force)
        let times = try time.times()
        let archive = try archive.open(.existing)
        let boards = try time.boards(of: archive)
        try SealedText.note(archive, boards)
        let payloads = try payloads(of: boards)
        let folders = HeraldExport.folderNames(boards.map { ($0.label, $0.identity.short) })
            .map { output + "/" + $0 }
        for folder in folders {
            if let path = export.obstacle(in: folder) { throw Failure(.exists(path: path)) }
        }
        Interruption.watch()
        var assembly = HeraldLogAssembly(sinceMilliseconds: times.since, untilMilliseconds: times.until)
        if uniteIdentities { assembly.names = try names(of: archive, assembly) }
        for (board, folder) in zip(boards, folders) {
            let history = try archiving { () throws(ArchiveError) in
                try archive.history(of: board.identity, withReadings: true)
            }
            for line in LossText.lines(history, time: TimeText(timeZone: export.timeZone)) {
                Console.note("\(board.label): not in the files: \(line)")
            }
            let log = assembly.log(of: history, ownPayload: payloads[board.identity])
            try write(log, of: board, to: folder, export)
        }
    }

    /// Of all boards, also those that are not exported: they were met.
    private func names(of archive: Archive, _ assembly: HeraldLogAssembly) throws(Failure) -> HeraldNames {
        var names = HeraldNames()
        for board in try archiving({ () throws(ArchiveError) in try archive.boards() }) {
            let history = try archiving { () throws(ArchiveError) in try archive.history(of: board.identity) }
            names.unite(assembly.ownPayloads(of: history))
        }
        return names
    }

    private func write(
        _ log: HeraldLog, of board: BoardSummary, to folder: String, _ export: HeraldExport
    ) throws(Failure) {
        let progress = ProgressLine(name: folder, unit: .rows)
        do throws(HeraldExportError) {
            try export.write(log, to: folder) { done, total in
                progress.update(done: done, of: total)
                return !Interruption.isRequested
            }
        } catch {
            progress.finish()
            throw Failure(error)
        }
        progress.finish()
        Console.note("\(folder): rows: \(log.rows.count), payloads read: \(log.payloads.count)")
        if log.undatedTrackCount > 0 {
            Console.note(
                "\(board.label): encounters left out, for the board had no clock then: \(log.undatedTrackCount)"
            )
        }
        if log.ownName == nil {
            Console.note(
                "\(board.label): the log does not say which payload it served; others' logs are matched with it "
                    + "if you say --payload \(board.label)=HEX")
        }
    }

    private func heraldGeneration() throws(Failure) -> HeraldLogGeneration {
        guard let known = HeraldLogGeneration(rawValue: generation) else {
            throw Failure(.usage, "--generation \(generation): there are 1 (Herald up to 1.2) and 2")
        }
        return known
    }

    private func zone() throws(Failure) -> TimeZone {
        switch timeZone.lowercased() {
        case "utc": return .gmt
        case "local": return .current
        default:
            guard let zone = TimeZone(identifier: timeZone) else {
                throw Failure(
                    .usage, "--time-zone \(timeZone): no such zone; say utc, local or one like Europe/London")
            }
            return zone
        }
    }

    private func payloads(of boards: [BoardSummary]) throws(Failure) -> [LogIdentity: [UInt8]] {
        var payloads: [LogIdentity: [UInt8]] = [:]
        for text in payload {
            guard let separator = text.lastIndex(of: "="),
                let bytes = [UInt8](hexadecimal: text[text.index(after: separator)...]), !bytes.isEmpty
            else {
                throw Failure(.usage, "--payload \(text): write the board's name, =, and hexadecimal digits")
            }
            var filter = EncounterFilter()
            filter.board = String(text[..<separator])
            let meant = boards.filter(filter.admits(board:))
            guard meant.count == 1, let board = meant.first else {
                let names = boards.map(\.label).joined(separator: ", ")
                throw Failure(.usage, "--payload \(text): not one of the boards exported, which are \(names)")
            }
            payloads[board.identity] = bytes
        }
        return payloads
    }
}

extension Failure {
    init(_ error: HeraldExportError) {
        switch error {
        case .exists(let path):
            self.init(.cannotCreate, "\(path): exists already; --force replaces it")
        case .cannotWrite(let path, let reason): self.init(.inputOutput, "\(path): \(reason)")
        case .stopped: self.init(.tryAgain, "interrupted; no file was changed by what was not finished")
        }
    }
}

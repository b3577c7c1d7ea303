import Analysis
import Archive
import ArgumentParser
import CommandLineText
import Foundation
import LogContents
import Reports

struct ExportHeraldCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Export logs in the format of a phone with Herald.",
        usage: "tabardctl export herald --output <folder> [<options>]",
        discussion: """
            Examples:
              tabardctl export herald --output test-1
              tabardctl export herald --output test-1 --generation 1 --time-zone local \\
                  --since 12h
              tabardctl export herald --output test-1 --unite-identities --since 12h
              tabardctl export herald --output test-1 --payload Foyer=303a0304004ee01000 \\
                  --force

            Each board gets a folder with contacts.csv, detection.csv, statistics.csv, \
            statistics_didRead.csv, rssi.csv, encounters.csv and battery.csv. Herald's analysis \
            scripts and `tabardctl analyse formal` read these files.

            A board with encounters.raw = true gives a row for each RSSI reading. Other boards give \
            a row for each sample, at the time of its last reading. docs/export-herald.md has every \
            rule. Times are UTC without --time-zone. Logs that are analysed together need the same \
            zone.
            """)

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Output folder; each board gets a folder in it.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Option(help: "Format: 1 for Herald up to 1.2 (9 columns), 2 for Herald 2 (11 columns).")
    var generation = 2

    @Option(
        help: ArgumentHelp(
            "Payload that a board served, if its log does not contain it. The analysis matches other logs "
                + "with it. "
                + "May be repeated.",
            valueName: "board=hex"))
    var payload: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Replace all payloads that a board served by its first one. Herald's scripts then count a "
                + "board that changes "
                + "its identity as one device."))
    var uniteIdentities = false

    @Flag(help: "Overwrite existing files.")
    var force = false

    @OptionGroup var written: WrittenOptions
    @OptionGroup var time: TimeOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        let export = HeraldExport(
            generation: try heraldGeneration(), zone: archive.timeZone == nil ? .utc : .current,
            replacesFiles: force)
        let mayBeAmbiguous =
            export.generation == .first && archive.timeZone.map { $0.lowercased() != "utc" } ?? false
        let times = try time.times()
        let archive = try archive.open(.reading)
        let boards = try time.boards(of: archive)
        try LockedPagesText.printNote(archive, boards)
        let payloads = try payloads(of: boards)
        let folders = HeraldExport.folderNames(boards.map { ($0.label, $0.identity.short) })
            .map { output + "/" + $0 }
        for folder in folders {
            for path in [output, folder] { try OutputFolder.require(path) }
            if let path = export.obstacle(in: folder) { throw Failure(.exists(path: path)) }
        }
        if mayBeAmbiguous {
            Console.report(
                "generation 1 has no offset from UTC; times in the hour in which clocks go back are ambiguous"
            )
        }
        Interruption.watch()
        var assembly = HeraldLogAssembly(since: times.since, until: times.until)
        if uniteIdentities { assembly.names = try names(of: archive, assembly) }
        for (board, folder) in zip(boards, folders) {
            let history = try archiving { () throws(ArchiveError) in
                try archive.history(of: board.identity, withReadings: true)
            }
            for line in LossText.lines(history, time: TimeText(zone: export.zone)) {
                Console.report("\(board.label): not exported: \(line)")
            }
            let log = assembly.log(
                of: written.withoutWritten ? history.withoutWritten() : history,
                ownPayload: payloads[board.identity])
            try write(log, of: board, to: folder, export)
        }
    }

    /// The names of all boards, even of those not exported, because exported boards may have met them.
    private func names(of archive: Archive, _ assembly: HeraldLogAssembly) throws(Failure) -> HeraldNames {
        var names = HeraldNames()
        for board in try archiving({ () throws(ArchiveError) in try archive.boards() }) {
            let history = try archiving { () throws(ArchiveError) in
                try archive.history(of: board.identity, withTracks: false)
            }
            names.unite(assembly.ownPayloads(of: history))
        }
        return names
    }

    private func write(
        _ log: HeraldLog, of board: ArchivedBoard, to folder: String, _ export: HeraldExport
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
        Console.report("\(folder): rows: \(log.rows.count), payloads read: \(log.payloads.count)")
        if log.undatedTrackCount > 0 {
            Console.report(
                "\(board.label): encounters left out because the board had no clock: \(log.undatedTrackCount)"
            )
        }
        if log.ownName == nil {
            Console.report(
                "\(board.label): the log does not contain the payload that the board served; to match it "
                    + "with other logs, "
                    + "give --payload \(board.label)=HEX")
        }
    }

    private func heraldGeneration() throws(Failure) -> HeraldLogGeneration {
        guard let known = HeraldLogGeneration(rawValue: generation) else {
            throw Failure(.usage, "--generation \(generation): unknown; write 1 (Herald up to 1.2) or 2")
        }
        return known
    }

    private func payloads(of boards: [ArchivedBoard]) throws(Failure) -> [LogIdentity: [UInt8]] {
        var payloads: [LogIdentity: [UInt8]] = [:]
        for text in payload {
            guard let separator = text.lastIndex(of: "="),
                let bytes = [UInt8](hexadecimal: text[text.index(after: separator)...]), !bytes.isEmpty
            else {
                throw Failure(.usage, "--payload \(text): write BOARD=HEX")
            }
            let name = String(text[..<separator])
            let meant = boards.filter { BoardChoice.isMeant($0, by: name) }
            guard meant.count == 1, let board = meant.first else {
                let names = boards.map(\.label).joined(separator: ", ")
                throw Failure(.usage, "--payload \(text): not an exported board; write one of \(names)")
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
            self.init(.cannotCreate, "\(path): already exists; --force overwrites it")
        case .cannotWrite(let path, let code): self.init(cannotWrite: path, code)
        case .stopped: self.init(.tryAgain, "interrupted; unfinished files were not written")
        }
    }
}

import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Foundation
import LogContents
import Reports

struct EncountersCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "encounters", abstract: "List encounters: who, when, how long, how strong.",
        discussion: """
            Examples:
              tabardctl encounters --since 2h
              tabardctl encounters --board Foyer --minimum-duration 10min
              tabardctl encounters --since 2026-11-21 --json | jq '.[].label'
              tabardctl encounters --csv > encounters.csv
              tabardctl encounters --readings --since 1h > readings.csv
              tabardctl encounters --refused --since 7d
              tabardctl encounters --without-written --since 7d

            An encounter is one identity in range of one board. Signal strength is in dBm and does \
            not measure distance. The table has local times; JSON and CSV have UTC.

            --readings prints a row for each RSSI reading of boards with encounters.raw = true. \
            Other boards record samples only. "written" marks an identity that the peer wrote to the \
            board, which anybody can do in another's name; "claimed" marks an encounter of which the \
            board measured nothing. --without-written leaves out both. --refused counts the invalid identities that peers \
            presented, by scheme and reason.
            """)

    @Flag(help: "Print a JSON array.")
    var json = false

    @Flag(help: "Print CSV (RFC 4180).")
    var csv = false

    @Flag(help: "Print CSV of every RSSI reading; needs encounters.raw = true.")
    var readings = false

    @Flag(help: "Print the identities that boards refused, and why, instead of encounters.")
    var refused = false

    @OptionGroup var filter: FilterOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        if json, csv { throw ValidationError("--json and --csv cannot both be given") }
        if json, readings {
            throw ValidationError("--json and --readings cannot both be given; readings are CSV")
        }
        if refused, readings { throw ValidationError("--refused and --readings cannot both be given") }
        if refused, filter.identity != nil || filter.minimumDuration != nil {
            throw ValidationError(
                "--refused filters by board, scheme and time only; omit --identity and --minimum-duration")
        }
    }

    func execute() throws(Failure) {
        var filter = try filter.filter()
        let archive = try archive.open(.reading)
        try self.filter.choose(&filter, in: archive)
        if refused {
            try LockedPagesText.printNote(archive, filter)
            return try list(
                archiving { () throws(ArchiveError) in try archive.refusals(matching: filter) }, archive)
        }
        let encounters = try archiving { () throws(ArchiveError) in
            try archive.encounters(matching: filter, withReadings: readings)
        }
        try LockedPagesText.printNote(archive, filter)
        if readings {
            Console.write(Data(ReadingCSV.text(encounters).utf8))
            if encounters.allSatisfy(\.readings.isEmpty) {
                Console.report("no readings; a board records them with encounters.raw = true")
            }
        } else if json {
            do {
                Console.write(try EncounterDocument.json(encounters))
            } catch {
                throw Failure(.data, "cannot write the encounters as JSON: \(error)")
            }
        } else if csv {
            Console.write(Data(EncounterCSV.text(encounters).utf8))
        } else {
            try table(encounters, archive, filter)
            try printRefusals(archive, filter)
        }
    }

    private func list(_ refusals: [RefusalSummary], _ archive: Archive) throws(Failure) {
        if json {
            do {
                return Console.write(try RefusalDocument.json(refusals))
            } catch {
                throw Failure(.data, "cannot write the refused identities as JSON: \(error)")
            }
        }
        if csv { return Console.write(Data(RefusalDocument.csv(refusals).utf8)) }
        guard !refusals.isEmpty else { return Console.report("no refused identities") }
        let labels = try boardLabels(archive)
        let time = TimeText()
        var table = TextTable([
            .init(title: "SCHEME"), .init(title: "WHY"), .init(title: "COUNT", isNumber: true),
            .init(title: "FIRST"), .init(title: "LAST"), .init(title: "BOARD"),
        ])
        for refusal in refusals {
            table.append([
                refusal.scheme.label, "\(refusal.reason.text)", "\(refusal.count)",
                time.moment(refusal.first, on: refusal.timeline),
                time.moment(refusal.last, on: refusal.timeline),
                labels[refusal.board] ?? refusal.board.short,
            ])
        }
        Console.print(table.text())
    }

    /// Notes the number of refused identities, because a person who searches for an identity must know of
    /// them.
    private func printRefusals(_ archive: Archive, _ filter: EncounterFilter) throws(Failure) {
        let refusals = try archiving { () throws(ArchiveError) in try archive.refusals(matching: filter) }
        let count = refusals.reduce(0) { $0 + $1.count }
        guard count > 0 else { return }
        Console.report(
            "\(count) \(count == 1 ? "identity was" : "identities were") refused; --refused shows why")
    }

    private func boardLabels(_ archive: Archive) throws(Failure) -> [LogIdentity: String] {
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        return Dictionary(boards.map { ($0.identity, $0.label) }, uniquingKeysWith: { first, _ in first })
    }

    private func table(
        _ encounters: [Encounter], _ archive: Archive, _ filter: EncounterFilter
    ) throws(Failure) {
        let labels = try boardLabels(archive)
        let time = TimeText()
        var table = TextTable([
            .init(title: "START"), .init(title: "ERROR", isNumber: true),
            .init(title: "DURATION", isNumber: true), .init(title: "WHO"),
            .init(title: "READINGS", isNumber: true), .init(title: "STRONGEST", isNumber: true),
            .init(title: "MEAN", isNumber: true), .init(title: "BOARD"),
        ])
        for encounter in encounters {
            let rssi = encounter.rssi
            table.append([
                time.moment(encounter.start, on: encounter.timeline),
                time.error(
                    of: encounter.timeline, encounter.startError,
                    notBefore: encounter.notBefore, notAfter: encounter.notAfter),
                TimeText.duration(encounter.duration),
                encounter.label + (encounter.identity?.remark ?? "") + encounter.remark,
                "\(encounter.readingCount)", rssi.map { "\($0.maximumDBm)" } ?? "-",
                rssi.map { String(format: "%.1f", $0.meanDBm) } ?? "-",
                labels[encounter.board] ?? encounter.board.short,
            ])
        }
        guard !encounters.isEmpty else {
            Console.report(try absence(archive, filter))
            return
        }
        Console.print(table.text())
        Console.report(footnote(encounters, time))
    }

    /// Why the list is empty: nothing is recorded, or the options leave nothing of it.
    private func absence(_ archive: Archive, _ filter: EncounterFilter) throws(Failure) -> String {
        var count = 0
        if !filter.admitsAll {
            count = try archiving { () throws(ArchiveError) in try archive.encounters().count }
        }
        guard count > 0 else { return "no encounters; fetch new data with `tabardctl sync`" }
        return EncounterAbsence.text(count: count, options: self.filter.description)
    }

    private func footnote(_ encounters: [Encounter], _ time: TimeText) -> String {
        let dated = encounters.filter(\.isOnWallClock)
        var text = "\(encounters.count) \(encounters.count == 1 ? "encounter" : "encounters")"
        if !dated.isEmpty { text += "; times are \(time.zoneName)" }
        if let error = dated.compactMap(\.clockError).max() {
            text += ", the worst within ±\(TimeText.error(error))"
        }
        if dated.count < encounters.count {
            text += "; times with + count from the start of a boot without a clock"
        }
        return text + "; strength in dBm"
    }
}

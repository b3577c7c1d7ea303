import Archive
import ArgumentParser
import CommandLineText
import Exposure
import Foundation
import Reports

struct MatchExposureNotificationCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposure-notification",
        abstract:
            "Find encounters with published keys, and rate the risk.",
        usage: "tabardctl match exposure-notification <export> ... [<options>]",
        discussion: """
            Examples:
              tabardctl match exposure-notification 2026-11-22.zip \\
                  --verification-key authority.pem
              tabardctl match exposure-notification keys/ --unverified \\
                  --risk swisscovid-pilot --format json

            EXPORT is a file as health authorities publish it. All exports must be signed with the \
            given key.

            An identifier matches within two hours of its own time. Encounters of more than 14 days \
            ago do not match, as on phones.

            The text output has encounters per key, windows of up to 30 minutes, and UTC days. CSV \
            has the encounters only. --windows writes the windows for other programs that rate a \
            risk. --risk selects the risk model and its parameters (docs/schemes.md). The model \
            corona-warn-app rates the last 10 days only.

            Exit codes: 0 done, with or without a match; 65 an export is damaged or not signed with \
            the key, or the table is invalid; 66 no such file.
            """)

    @Argument(
        help: ArgumentHelp(
            "Export: a zip file, an export.bin, or a folder with export.bin and export.sig.",
            valueName: "export"), completion: .file())
    var exports: [String]

    @Option(
        help: ArgumentHelp("Public key of the authority (PEM, P-256).", valueName: "file"),
        completion: ValueCompletion.key)
    var verificationKey: String?

    @Flag(help: "Accept exports without checking their signature.")
    var unverified = false

    @Option(help: "Risk model: corona-warn-app, swisscovid-pilot or version-1.")
    var risk = ExposureRiskModel.coronaWarnApp

    @Option(
        help: ArgumentHelp(
            "Table of infectiousness by days since symptoms began (docs/schemes.md); default: "
                + "the same on all days.",
            valueName: "file"), completion: .file())
    var infectiousness: String?

    @Option(
        help: ArgumentHelp(
            "Receiver correction in dB, -50 to 50, added to each RSSI reading.", valueName: "decibels"))
    var receiverCorrection = 0

    @Option(
        help: ArgumentHelp(
            "Also write the windows as JSON, as Exposure Notification on Android gives them to apps; - is "
                + "standard output.",
            valueName: "file"), completion: .file())
    var windows: String?

    @Flag(help: "Overwrite an existing file of --windows.")
    var force = false

    @OptionGroup var options: MatchOptions

    func validate() throws {
        guard (verificationKey == nil) == unverified else {
            throw ValidationError("give either --verification-key or --unverified")
        }
        guard (-50...50).contains(receiverCorrection) else {
            throw ValidationError("--receiver-correction must be from -50 to 50")
        }
        guard !force || windows != nil else { throw ValidationError("--force needs --windows") }
    }

    func execute() throws(Failure) {
        if let windows { try OutputFile.requireAbsence(of: windows, force: force) }
        let now = try options.now()
        let mapping =
            if let infectiousness {
                try InfectiousnessFile.mapping(infectiousness)
            } else {
                DiagnosisKeyMapping.standard
            }
        let read = try ExposureExports(exports, signedBy: verificationKey)
        let published = read.keys
        if unverified { Console.report("warning: the signatures of these exports were not checked") }
        for note in read.notes { Console.report(note) }
        let archive = try options.archive.open(.reading)
        let filter = try options.filter(in: archive)
        let search: ExposureSearch
        do throws(ArchivedSearchError) {
            search = try ExposureSearch(
                archive, matching: filter, for: published, now: now, mapping: mapping,
                receiverCorrectionDB: receiverCorrection)
        } catch {
            throw Failure(error)
        }
        MatchOptions.printNote(search.counts, days: ExposureSearch.retentionDays)
        let days = ExposureDay.days(of: search.windows, by: risk, now: now)
        if let lookBack = risk.lookBackDays {
            let unjudged = search.windows.count { $0.isOlder(than: lookBack, now: now) }
            if unjudged > 0 {
                Console.report(
                    "\(unjudged) windows are more than \(lookBack) days old; \(risk.rawValue) ignores them"
                )
            }
        }
        var document = ExposureDocument(
            search, days: days, by: risk, publishedKeyCount: published.keys.count, now: now,
            receiverCorrectionDB: receiverCorrection)
        document.leftOutPages = try options.leftOutPageCount(archive)
        let listing = options.output.listing()
        try listing.write(document) { () throws(Failure) in try print(search, document, archive, listing) }
        if let windows {
            let data: Data
            do { data = try PrintedJSON.data(search.windows.map(ExposureWindowDocument.init)) } catch {
                throw Failure(.data, "\(windows): cannot be written: \(error)")
            }
            try OutputFile.write(data, to: windows)
        }
        try BoardChoice.requireBoard(in: archive)
    }

    private func print(
        _ search: ExposureSearch, _ document: ExposureDocument, _ archive: Archive, _ listing: Listing
    ) throws(Failure) {
        let searched = "\(document.publishedKeys) keys, \(document.searchedEncounters) recorded encounters"
        guard !search.exposures.isEmpty else {
            Console.note("no match; \(searched)")
            return
        }
        let labels = Dictionary(
            try BoardChoice.labels(archive).map { ($0.hexadecimal, $1) },
            uniquingKeysWith: { first, _ in first })
        for (index, table) in ExposureTables(document: document, labels: labels).tables(search).enumerated() {
            if index > 0 { listing.print("") }
            listing.print(table)
        }
        try listing.finish()
        Console.note("\(searched); times are \(TimeText().zoneName); risk by \(risk.rawValue)")
    }
}

extension ExposureRiskModel: ExpressibleByArgument {}

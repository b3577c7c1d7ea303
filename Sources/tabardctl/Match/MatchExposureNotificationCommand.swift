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
            "Say which boards met people who published their keys, and what risk phones would make of it.",
        discussion: """
            Each EXPORT is a file as health authorities publish it: a zip file, a folder with export.bin and export.sig, \
            or an export.bin beside its export.sig. All must be signed with the key given.

            An identifier matches within two hours of its own time. What boards heard more than 14 days ago does not \
            match, as on phones. Encounters are those of a key; windows are up to half an hour of one; days are UTC. \
            --risk names the model and whose parameters: docs/schemes.md. Corona-Warn-App's judge the last 10 days only. \
            --infectiousness is an authority's table of how infectious somebody is so many days after the symptoms began; \
            without it, alike on all. CSV has the encounters alone.

            Exit code 0: done, whether anything matched or not; 65: an export is damaged or not signed with the key, or the \
            table is none; 66: there is no such file.

            Examples:
              tabardctl match exposure-notification 2026-11-22.zip --verification-key authority.pem
              tabardctl match exposure-notification keys/ --unverified --risk swisscovid-pilot --format json
            """)

    @Argument(help: ArgumentHelp("Export files, or folders of one.", valueName: "export"))
    var exports: [String]

    @Option(help: ArgumentHelp("The authority's public key (PEM, P-256).", valueName: "file"))
    var verificationKey: String?

    @Flag(help: "Believe exports without asking who signed them.")
    var unverified = false

    @Option(help: "corona-warn-app, swisscovid-pilot or version-1.")
    var risk = ExposureRiskModel.coronaWarnApp

    @Option(
        help: ArgumentHelp(
            "How infectious keys are by days since symptoms began, as docs/schemes.md says (by default all alike).",
            valueName: "file"))
    var infectiousness: String?

    @Option(
        help: ArgumentHelp(
            "What boards' receivers have to be added to their readings, in dB.", valueName: "decibels"))
    var receiverCorrection = 0

    @OptionGroup var options: MatchOptions

    func validate() throws {
        guard (verificationKey == nil) == unverified else {
            throw ValidationError("give either --verification-key or --unverified")
        }
        guard (-50...50).contains(receiverCorrection) else {
            throw ValidationError("--receiver-correction must be from -50 to 50")
        }
    }

    func execute() throws(Failure) {
        let now = try options.nowMilliseconds()
        let mapping =
            if let infectiousness {
                try InfectiousnessFile.mapping(infectiousness)
            } else {
                DiagnosisKeyMapping.standard
            }
        let published = try ExposureExports(exports, signedBy: verificationKey).keys
        if unverified { Console.note("nobody has checked who signed these exports") }
        if published.refusedCount > 0 {
            Console.note(
                "\(published.refusedCount) published keys are none that there can be, and were passed over")
        }
        let archive = try options.archive.open(.existing)
        let encounters = try options.encounters(of: .exposureNotification, in: archive)

        let search: ExposureSearch
        do throws(ExposureSearchError) {
            search = try ExposureSearch(
                encounters, for: published, nowMilliseconds: now, mapping: mapping,
                receiverCorrectionDB: receiverCorrection)
        } catch {
            throw Failure(.unavailable, "no memory is left for the keys; close other programs and try again")
        }
        MatchOptions.note(search.counts, days: ExposureSearch.retentionDays)
        let days = ExposureDay.days(of: search.windows, by: risk, nowMilliseconds: now)
        if let lookBack = risk.lookBackDays {
            let unjudged = search.windows.count { $0.isOlder(than: lookBack, nowMilliseconds: now) }
            if unjudged > 0 {
                Console.note(
                    "\(unjudged) windows are more than \(lookBack) days old; \(risk.rawValue) does not judge them"
                )
            }
        }
        let document = ExposureDocument(
            search, days: days, by: risk, publishedKeyCount: published.keys.count, nowMilliseconds: now,
            receiverCorrectionDB: receiverCorrection)
        try options.format.print(document) { () throws(Failure) in try print(search, document, archive) }
    }

    private func print(
        _ search: ExposureSearch, _ document: ExposureDocument, _ archive: Archive
    ) throws(Failure) {
        let searched = "\(document.publishedKeys) keys, \(document.searchedEncounters) recorded encounters"
        guard !search.exposures.isEmpty else {
            Console.note("no match; \(searched)")
            return
        }
        let tables = ExposureTables(document: document, labels: try MatchOptions.labels(archive))
        Console.print(tables.text(search))
        Console.note("\(searched); risk by \(risk.rawValue)")
    }
}

extension ExposureRiskModel: ExpressibleByArgument {}

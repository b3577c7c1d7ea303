import Archive
import ArgumentParser
import Authority
import CommandLineText
import EncounterLog
import Exposure
import FixedMemory
import Foundation
import Reports
import Schemes

struct SubmitSonarCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonar", abstract: "Prepare a Sonar contact submission.",
        usage: """
            tabardctl submit sonar --registration <file> --symptom <name> ...
              --symptoms-began <date> [<options>]
            """,
        discussion: """
            Examples:
              tabardctl submit sonar --registration board.keys.sonar --symptom cough \\
                  --symptoms-began 2026-11-20 --output upload.http
              tabardctl submit sonar --registration reg --symptom cough \\
                  --symptom temperature --symptoms-began 2026-11-20 --from 2026-11-15 \\
                  --dialect android --yes > upload.http

            The submission has all contacts of the chosen days, by default the last 28. A contact is \
            all that was received from one encrypted phone identifier. The submission has the \
            identifier, and the contact's time, duration and signal strengths.

            The output is the request that the app would send, signed with the secret of the \
            registration. It is not encrypted because the app relied on TLS.
            """)

    @Option(
        help: ArgumentHelp("Registration of the board, 127 bytes.", valueName: "file"), completion: .file())
    var registration: String

    @Option(
        name: .customLong("symptom"),
        help: ArgumentHelp(
            "Symptom: temperature, cough, anosmia, sneeze or nausea; may be repeated.",
            valueName: "name"))
    var symptoms: [String]

    @Option(help: ArgumentHelp("First day of symptoms, such as 2026-11-20.", valueName: "date"))
    var symptomsBegan: CalendarDate

    @Option(help: "Dialect of the request: ios or android.")
    var dialect = SonarUpload.Dialect.iOS

    @OptionGroup var days: SubmissionDays

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var host: HostOption

    @OptionGroup var output: SubmissionOutput

    func validate() throws {
        for symptom in symptoms where !SonarUpload.symptomNames.contains(symptom.uppercased()) {
            let names = SonarUpload.symptomNames.map { $0.lowercased() }.joined(separator: ", ")
            throw ValidationError("--symptom \(symptom): unknown symptom; write one of \(names)")
        }
    }

    func execute() throws(Failure) {
        try SubmissionDays.requireBegun(symptomsBegan)
        let own = try SchemeSecrets.sonar(registration)
        let log = try recorded.open()
        let (archive, board) = (log.archive, log.board)
        let interval = days.days(SonarSubmission.retentionDays).times
        var filter = EncounterFilter()
        filter.boards = [board.identity]
        filter.scheme = SchemeCode(.sonar)
        filter.since = interval.lowerBound
        filter.until = interval.upperBound
        let encounters = try archiving { () throws(ArchiveError) in try archive.encounters(matching: filter) }
        let sonarSubmission = SonarSubmission(encounters)
        guard !sonarSubmission.events.isEmpty else {
            let others = sonarSubmission.unreported.map { ", but \($0)" }.joined()
            throw Failure(
                .noInput,
                "nothing to submit: \(board.label) read no Sonar phone on these days\(others); "
                    + "choose other days with --from and --until")
        }
        let request: Submission
        do throws(SonarRefusal) {
            request = try .sonar(
                sonarSubmission, of: own, symptoms: symptoms.map { $0.uppercased() },
                began: symptomsBegan, dialect: dialect, host: host.host,
                at: UInt64(max(0, Date().timeIntervalSince1970)))
        } catch {
            throw Failure(.unavailable, "not enough memory to sign the request; try again")
        }
        try output.writeIfAgreed(request)
    }
}

extension SonarUpload.Dialect: ExpressibleByArgument {}

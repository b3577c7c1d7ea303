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
        commandName: "sonar", abstract: "Hand over whom the board read.",
        discussion: """
            All contacts of the days asked for, 28 by now unless said: each phone's encrypted number as it was read, when, for \
            how long and how strong. A contact is all that was heard of one such number. What is written is the request that \
            the app would send, signed with the registration's secret, in the dialect of either app. It is not sealed: the app \
            trusted in TLS.

            Examples:
              tabardctl submit sonar --registration board.keys.sonar --symptom cough --symptoms-began 2026-11-20 --output upload.http
              tabardctl submit sonar --registration reg --symptom cough --symptom temperature --symptoms-began 2026-11-20 \
            --from 2026-11-15 --dialect android --yes > upload.http
            """)

    @Option(help: ArgumentHelp("The board's registration, 127 bytes.", valueName: "file"))
    var registration: String

    @Option(
        name: .customLong("symptom"),
        help: ArgumentHelp(
            "What the wearer has; may be repeated: temperature, cough, anosmia, sneeze, nausea.",
            valueName: "name"))
    var symptoms: [String]

    @Option(help: ArgumentHelp("Since which day, as 2026-11-20.", valueName: "date"))
    var symptomsBegan: CalendarDate

    @Option(help: "How to write it: ios or android.")
    var dialect = SonarUpload.Dialect.iOS

    @OptionGroup var days: SubmissionDays

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var host: HostOption

    @OptionGroup var consent: ConsentOptions

    func validate() throws {
        for symptom in symptoms where !SonarUpload.symptomNames.contains(symptom.uppercased()) {
            let names = SonarUpload.symptomNames.map { $0.lowercased() }.joined(separator: ", ")
            throw ValidationError("--symptom \(symptom): write one of \(names)")
        }
    }

    func execute() throws(Failure) {
        try SubmissionDays.requireBegun(symptomsBegan)
        let own = try SchemeSecrets.sonar(registration)
        let (archive, board) = try recorded.open()
        let interval = days.days(SonarSubmission.retentionDays).milliseconds
        var filter = EncounterFilter()
        filter.board = board.identity.hexadecimal
        filter.scheme = SchemeCode(.sonar)
        filter.sinceMilliseconds = interval.lowerBound
        filter.untilMilliseconds = interval.upperBound
        let encounters = try archiving { () throws(ArchiveError) in try archive.encounters(matching: filter) }
        let contacts = SonarSubmission(encounters)
        guard !contacts.events.isEmpty else {
            let others = contacts.unreported.map { ", but \($0)" }.joined()
            throw Failure(
                .noInput,
                "nothing to hand over: \(board.label) read no phone of Sonar's on these days\(others); "
                    + "say other days with --from and --until")
        }
        let submission: Submission
        do throws(SonarRefusal) {
            submission = try .sonar(
                contacts, of: own, symptoms: symptoms.map { $0.uppercased() },
                began: symptomsBegan, dialect: dialect, host: host.host,
                at: UInt64(max(0, Date().timeIntervalSince1970)))
        } catch {
            throw Failure(.unavailable, "no memory is left to sign the request; try again")
        }
        try consent.hand(over: submission)
    }
}

extension SonarUpload.Dialect: ExpressibleByArgument {}

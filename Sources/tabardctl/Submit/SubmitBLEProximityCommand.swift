import Archive
import ArgumentParser
import Authority
import CommandLineText
import Exposure
import FixedMemory
import Reports

struct SubmitBLEProximityCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble-proximity", abstract: "Prepare a BLE-Proximity identity submission.",
        usage: "tabardctl submit ble-proximity [<options>]",
        discussion: """
            Examples:
              tabardctl submit ble-proximity --from 2026-11-15 --output positives.json
              tabardctl submit ble-proximity --board Anna --yes > positives.json

            The submission has the identities that the board recorded as its own, each with its \
            time. It covers only days that are over, by default the last 28. BLE-Proximity defines \
            no format for it; docs/schemes.md has Tabard's.
            """)

    private static let standardDays: UInt32 = 28

    @OptionGroup var days: SubmissionDays

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var output: SubmissionOutput

    func execute() throws(Failure) {
        let range = try days.pastDays(Self.standardDays)
        let log = try recorded.open()
        let (archive, board) = (log.archive, log.board)
        let history = try archiving { () throws(ArchiveError) in
            try archive.history(of: board.identity, withTracks: false)
        }
        let submission = BLEProximitySubmission(history, in: range.times)
        guard !submission.positives.entries.isEmpty else {
            let undated =
                submission.undatedCount > 0
                ? ", but \(submission.undatedCount) of boots without a wall clock" : ""
            throw Failure(
                .noInput,
                "nothing to submit: \(board.label) had no BLE-Proximity identity from "
                    + "\(range.daysText)\(undated); "
                    + "choose other days with --from and --until")
        }
        try output.writeIfAgreed(.bleProximity(submission, ofDays: range))
    }
}

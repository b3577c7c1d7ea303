import Archive
import ArgumentParser
import Authority
import CommandLineText
import Exposure
import Reports

struct SubmitBLEProximityCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "ble-proximity", abstract: "Hand over who the wearer was.",
        discussion: """
            The identities that the board has written down, each with its time; of days that are over only, the last 28 of them \
            unless said. BLE-Proximity never said how a list looks; the form is ours (docs/schemes.md).

            Examples:
              tabardctl submit ble-proximity --from 2026-11-15 --output positives.json
              tabardctl submit ble-proximity --board Anna --yes > positives.json
            """)

    private static let standardDays: UInt32 = 28

    @OptionGroup var days: SubmissionDays

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var consent: ConsentOptions

    func execute() throws(Failure) {
        let range = try days.pastDays(Self.standardDays)
        let (archive, board) = try recorded.open()
        let history = try archiving { () throws(ArchiveError) in try archive.history(of: board.identity) }
        let submission = BLEProximitySubmission(history, in: range.milliseconds)
        guard !submission.positives.entries.isEmpty else {
            let undated =
                submission.undatedCount > 0
                ? ", but \(submission.undatedCount) of starts without a wall clock" : ""
            throw Failure(
                .noInput,
                "nothing to hand over: \(board.label) was nobody in BLE-Proximity from \(range.daysText)\(undated); "
                    + "say other days with --from and --until")
        }
        try consent.hand(over: .bleProximity(submission, ofDays: range))
    }
}

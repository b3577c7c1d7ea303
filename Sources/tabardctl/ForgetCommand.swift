import Archive
import ArgumentParser
import FixedMemory
import Foundation
import KeyFiles
import Reports

struct ForgetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove from the archive what is older than it may be kept.",
        discussion: """
            Of each board, whole segments from the oldest on, as long as all in them is older: raw bytes, and all that was \
            made of them. It says what will go and asks first. The file is made anew without it, so that nothing of it is left \
            there; copies and backups are yours to remove. Forgotten segments are not fetched again, and `tabardctl verify` \
            says that they were forgotten on purpose. Boards keep what they have: `tabardctl erase`.

            What stays is decoded anew: pages that were opened need their key (--opening) again.

            Examples:
              tabardctl forget --older-than 28d
              tabardctl forget --older-than 2026-11-01 --board Foyer --yes
            """)

    @Option(help: ArgumentHelp("What is older: 28d, or a day such as 2026-11-21.", valueName: "age"))
    var olderThan: String

    @Option(
        help: ArgumentHelp("Only this board: its name, or the first digits of its log.", valueName: "board"))
    var board: String?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var opening: OpeningOptions

    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let cutoff = try AgeArgument.milliseconds(olderThan)
        let keys = try opening.keys()
        let archive = try archive.open(.existing)
        var plans: [ForgettingPlan] = []
        for board in try BoardChoice.boards(named: board, of: archive) {
            if let plan = try plan(archive, board, cutoff, keys) { plans.append(plan) }
        }
        guard !plans.isEmpty else { return }
        try confirm()
        for plan in plans {
            try archiving { () throws(ArchiveError) in
                try archive.forget(
                    plan, keys: keys, nowMilliseconds: Int64(Date().timeIntervalSince1970 * 1000))
            }
        }
        Console.print("forgotten")
    }

    /// What is to go of a board, which is said; nil if nothing is.
    private func plan(
        _ archive: Archive, _ board: BoardSummary, _ cutoff: Int64, _ keys: OpeningKeys
    ) throws(Failure) -> ForgettingPlan? {
        let plan = try archiving { () throws(ArchiveError) in
            try archive.forgettingPlan(of: board.identity, before: cutoff)
        }
        guard let plan else {
            Console.print("\(board.label): nothing is known to be older")
            return nil
        }
        if let key = plan.openedWith.first(where: { !keys.fingerprints.contains($0) }) {
            throw Failure(
                .noInput,
                "\(board.label): what stays was opened with key \(Fingerprint.text(key)); name its file with --opening"
            )
        }
        Console.print(
            "\(board.label): \(plan.segmentCount) of \(board.segmentCount) segments with \(plan.entryCount) entries, "
                + "up to \(TimeText().dateAndTime(plan.latestWallClockMilliseconds))")
        return plan
    }

    private func confirm() throws(Failure) {
        guard !yes else { return }
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure(.usage, "nothing was forgotten: say --yes, for nobody can be asked here")
        }
        Console.note("Forget this for good? Type yes:")
        guard readLine() == "yes" else { throw Failure(.tryAgain, "nothing was forgotten") }
    }
}

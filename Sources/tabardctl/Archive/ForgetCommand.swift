import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Foundation

struct ForgetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove from the archive what is older than it may be kept.",
        discussion: """
            --older-than: of each board, whole segments from the oldest on, as long as all in them is older.
            --expired: contacts that are older than their scheme keeps them (--list), while others of the same pages stay. A \
            contact is as old as its last reading.
            --identity: all contacts with somebody who asks for it, and all others of the addresses that these had. Say all \
            of the identity, as `tabardctl encounters --json` has it; who had several is to be forgotten by each.

            Raw bytes go, and all that was made of them. It says what will go and asks first. The file is made anew without \
            it, so that nothing of it is left there; copies and backups are yours to remove. What was forgotten is not fetched \
            again, and `tabardctl verify` says that it was on purpose. Boards keep what they have: `tabardctl erase`.

            What stays is decoded anew: pages that were opened need their key (--opening) again.

            Exit code 64: nobody could be asked; 66: a key is missing, or nobody was met who had that identity; 75: not \
            confirmed.

            Examples:
              tabardctl forget --older-than 28d
              tabardctl forget --older-than 2026-11-01 --board Foyer --yes
              tabardctl forget --expired --keep exposure-notification=10
              tabardctl forget --scheme herald --identity 1003003a0000010000
              tabardctl forget --list
            """)

    @Option(help: ArgumentHelp("What is older: 28d, or a day such as 2026-11-21.", valueName: "age"))
    var olderThan: String?

    @Flag(help: "Contacts that are older than their scheme keeps them.")
    var expired = false

    @Option(
        help: ArgumentHelp(
            "With --expired: keep contacts of this scheme so many days; may be repeated.",
            valueName: "scheme=days"))
    var keep: [String] = []

    @Option(help: ArgumentHelp("Somebody's identity, in hexadecimal.", valueName: "digits"))
    var identity: String?

    @Option(help: ArgumentHelp("The scheme that --identity is of.", valueName: "scheme"))
    var scheme: String?

    @Flag(help: "Print for how many days contacts are kept, and whose rule that is.")
    var list = false

    @Option(
        help: ArgumentHelp("Only this board: its name, or the first digits of its log.", valueName: "board"))
    var board: String?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var opening: OpeningOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        guard [olderThan != nil, expired, identity != nil, list].count(where: \.self) == 1 else {
            throw ValidationError("give one of --older-than, --expired, --identity and --list")
        }
        guard keep.isEmpty || expired || list else { throw ValidationError("--keep goes with --expired") }
        guard (identity == nil) == (scheme == nil) else {
            throw ValidationError("--identity and --scheme go together")
        }
    }

    func execute() throws(Failure) {
        let retention = try RetentionArgument.retention(keep)
        if list { return Console.print(RetentionArgument.table(retention)) }
        let consent = ForgettingConsent(keys: try opening.keys(), asks: !yes)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        if let olderThan {
            let cutoff = try AgeArgument.milliseconds(olderThan)
            let archive = try archive.open(.existing)
            return try SegmentForgetting(archive: archive, consent: consent)
                .run(BoardChoice.boards(named: board, of: archive), before: cutoff, nowMilliseconds: now)
        }
        let person = try person()
        let archive = try archive.open(.existing)
        try ContactForgetting(archive: archive, consent: consent, retention: retention, person: person)
            .run(BoardChoice.boards(named: board, of: archive), nowMilliseconds: now)
    }

    /// Who is to be forgotten, if it is somebody.
    private func person() throws(Failure) -> Identity? {
        guard let identity, let scheme else { return nil }
        guard let known = SchemeCode(label: scheme) else {
            throw Failure(.usage, "--scheme \(scheme): no such scheme; write \(Self.schemes)")
        }
        guard let payload = [UInt8](hexadecimal: identity), !payload.isEmpty else {
            throw Failure(
                .usage,
                "--identity \(identity): not bytes in hexadecimal; `tabardctl encounters --json` has them")
        }
        return Identity(scheme: known, payload: payload)
    }

    private static var schemes: String { SchemeCode.named.map(\.label).joined(separator: ", ") }
}

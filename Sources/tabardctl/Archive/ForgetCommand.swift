import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import FixedMemory
import Foundation
import Reports

struct ForgetCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove old or unwanted contacts from the archive.",
        usage: "tabardctl forget [<options>]",
        discussion: """
            Examples:
              tabardctl forget --older-than 28d
              tabardctl forget --older-than 2026-11-01 --board Foyer --yes
              tabardctl forget --expired --keep exposure-notification=10
              tabardctl forget --expired --dry-run
              tabardctl forget --scheme herald --identity 1003003a0000010000
              tabardctl forget --list

            --older-than removes whole segments of each board, oldest first. It stops at the first \
            segment with newer entries.

            --expired removes the contacts that are older than their scheme keeps them (--list). \
            Other contacts of the same pages stay. The last RSSI reading determines the age of a \
            contact.

            --identity removes all contacts with one identity, and all other contacts with the same \
            addresses. Give the whole identity, as `tabardctl encounters --json` prints it. Run the \
            command once for each identity of the person.

            The command shows what it will remove and asks. It removes the raw bytes and everything \
            derived from them, and rewrites the file. Copies and backups are yours to remove. A \
            later sync does not fetch the data again, and `tabardctl verify` reports the removal as \
            intended. The label of an identity goes with its last encounter. Boards keep their logs \
            until `tabardctl erase`.

            The command decodes the rest again, so encrypted pages need their owner key (--opening).

            Exit codes: 0 done; 64 the command could not ask; 66 a key is missing, or no contact has \
            the identity; 75 not confirmed.
            """)

    @Option(
        help: ArgumentHelp(
            "Remove older segments: an age such as 28d, or a day such as 2026-11-21.", valueName: "age"))
    var olderThan: String?

    @Flag(help: "Remove contacts past their scheme's retention time.")
    var expired = false

    @Option(
        help: ArgumentHelp(
            "With --expired: retention of one scheme, 0 to 3650 days; may be repeated.",
            valueName: "scheme=days"))
    var keep: [String] = []

    @Option(
        help: ArgumentHelp("Remove contacts with this whole identity, in hexadecimal.", valueName: "digits"))
    var identity: String?

    @Option(
        help: ArgumentHelp("Scheme of --identity, such as herald.", valueName: "scheme"),
        completion: ValueCompletion.scheme)
    var scheme: String?

    @Flag(help: "Print the retention time of each scheme and its source.")
    var list = false

    @OptionGroup var boards: BoardOptions

    @OptionGroup var consent: ConsentOptions

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup(title: "With --list") var output: OutputOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        guard [olderThan != nil, expired, identity != nil, list].count(where: \.self) == 1 else {
            throw ValidationError("give one of --older-than, --expired, --identity and --list")
        }
        guard keep.isEmpty || expired || list else { throw ValidationError("--keep needs --expired") }
        guard (identity == nil) == (scheme == nil) else {
            throw ValidationError("--identity and --scheme need each other")
        }
        guard list || !output.isGiven else {
            throw ValidationError("--json, --format and --output need --list")
        }
    }

    func execute() throws(Failure) {
        let retention = try RetentionArgument.retention(keep)
        if list { return try print(retention) }
        let consent = ForgettingConsent(keys: try ownerKey.keys(), options: consent)
        let now = WallClockTime.now
        let archivePath = archive.path
        if let olderThan {
            let cutoff = try AgeArgument.time(olderThan)
            let archive = try archive.open(consent.options.dryRun ? .reading : .existing, keys: consent.keys)
            try SegmentForgetting(archive: archive, planner: try planner(consent), consent: consent)
                .run(BoardChoice.boards(named: boards.names, of: archive), before: cutoff, now: now)
        } else {
            let person = try person()
            let archive = try archive.open(consent.options.dryRun ? .reading : .existing, keys: consent.keys)
            try ContactForgetting(
                archive: archive, planner: try planner(consent), consent: consent, retention: retention,
                person: person
            ).run(BoardChoice.boards(named: boards.names, of: archive), now: now)
        }
        if !consent.options.dryRun { UpgradeText.printEarlierArchive(archivePath) }
    }

    private func print(_ retention: ContactRetention) throws(Failure) {
        let listing = try output.listing()
        guard listing.format == .table else {
            return try listing.write("the list") {
                try PrintedJSON.data(rows: RetentionArgument.rows(retention))
            }
        }
        listing.print(RetentionArgument.table(retention))
        try listing.finish()
    }

    /// The archive with all pages that are not forged, because contacts are forgotten whether or not a
    /// signature covers them.
    private func planner(_ consent: ForgettingConsent) throws(Failure) -> Archive {
        try archive.open(.reading, keys: consent.keys, admitting: .unverified)
    }

    /// The person in the options, if there is one.
    private func person() throws(Failure) -> Identity? {
        guard let identity, let scheme else { return nil }
        guard let known = SchemeCode(label: scheme) else {
            throw Failure(.usage, "--scheme \(scheme): no such scheme; write \(Self.schemes)")
        }
        guard let payload = [UInt8](hexadecimal: identity), !payload.isEmpty else {
            throw Failure(
                .usage,
                "--identity \(identity): not hexadecimal bytes; `tabardctl encounters --json` prints them")
        }
        return Identity(scheme: known, payload: payload)
    }

    private static var schemes: String { SchemeCode.named.map(\.label).joined(separator: ", ") }
}

import Archive
import ArgumentParser
import CommandLineText

struct ArchiveRebuildCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rebuild", abstract: "Make all tables anew from the fetched logs.",
        usage: "tabardctl archive rebuild [<options>]",
        discussion: """
            Examples:
              tabardctl archive rebuild
              tabardctl archive rebuild --opening opening.pem

            The command decodes all pages again, and makes encounters of them. The result is the same \
            as after all fetches, so you need it only if another program has changed the tables. Fetched \
            logs, clock samples, names and keys stay as they are.

            Pages that were decrypted need their owner key for that (--opening).

            Exit codes: 0 done; 66 no archive, or a key is missing; 74 input or output failed; 75 another \
            program is using the archive.
            """)

    @Flag(help: "Continue without the missing keys; their pages become locked.")
    var lock = false

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let keys = try ownerKey.keys()
        UpgradeText.printNote(try archive.upgrade(keys: keys, locks: lock), archive.path)
        let opened = try archive.open(.existing, keys: keys)
        try archiving { () throws(ArchiveError) in try opened.rebuild(keys: keys, locks: lock) }
        let count = try archiving { () throws(ArchiveError) in try opened.encounterCount() }
        Console.print("\(archive.path): all tables made anew; \(Count.text(count, "encounter"))")
    }
}

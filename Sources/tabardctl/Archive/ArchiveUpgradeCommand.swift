import Archive
import ArgumentParser
import CommandLineText

struct ArchiveUpgradeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade", abstract: "Bring an archive of an earlier version up to date.",
        usage: "tabardctl archive upgrade [<options>]",
        discussion: """
            Examples:
              tabardctl archive upgrade
              tabardctl archive upgrade --archive courier.sqlite --opening opening.pem

            The command converts an archive of version 0.1 into a new file. The new file takes the \
            name of the archive. The earlier archive stays beside it as FILE.version-0.1.

            If another version decoded the pages, the command decodes them again. Pages that were \
            decrypted need their owner key for that (--opening). The raw bytes do not change.

            Rows beside the log that an earlier version or another computer stored have no proof that they \
            are yours; nor have any after the file archive.secret was lost. In the first archive at the \
            usual place the command accepts those of an earlier version. With --adopt it accepts all.

            `tabardctl sync` and `tabardctl open` do the same before they begin. An archive that is \
            up to date stays as it is.

            Exit codes: 0 done; 65 another program or a later version wrote the file; 66 no archive, \
            or a key is missing; 73 FILE.version-0.1 exists already; 74 input or output failed; 75 \
            another program is using the archive.
            """)

    @Flag(help: "Continue without the missing keys; their pages become locked.")
    var lock = false

    @Flag(
        help: ArgumentHelp(
            "Accept all clock samples, forgotten parts, redacted pages and keys in the archive as yours."))
    var adopt = false

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let outcome = try archive.upgrade(keys: ownerKey.keys(), locks: lock)
        if adopt {
            let keys = try ownerKey.keys()
            let archive = try archive.open(.existing, keys: keys)
            try archiving { () throws(ArchiveError) in
                try archive.adoptEarlierRows(keys: keys, locks: lock)
            }
        }
        Console.print(UpgradeText.text(outcome, archive.path))
    }
}

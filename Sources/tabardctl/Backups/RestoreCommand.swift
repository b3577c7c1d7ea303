import Archive
import ArgumentParser
import Backups
import BoardLink
import CommandLineText
import FixedMemory
import KeyFiles
import Schemes

struct RestoreCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Make a board take the place of one that was backed up.",
        usage: "tabardctl restore <port> <backup> [<options>]",
        discussion: """
            Examples:
              tabardctl restore /dev/ttyACM0 foyer.backup.json
              tabardctl restore /dev/ttyACM0 badge7.backup.json --opening opening.pem

            The board gets the settings of the backup, the public keys of its owner and operator if it \
            has none, and the secrets behind the identities. For phones and other boards it is then the \
            one that was backed up. It keeps a log and a private key of its own, so the archive lists \
            it as another board, with the same name.

            The secrets are encrypted for the owner key: give its private half with --opening. They \
            travel encrypted for the new board. Settings that name files and devices stay as they are. \
            Before the command changes anything it shows what it will change and asks.

            Do not use the board that was backed up any more: two boards with one identity are one \
            device to every phone. Remove its card, or set it up anew.
            """)

    @OptionGroup var port: PortOptions

    @Argument(help: ArgumentHelp("The file of `tabardctl backup`.", valueName: "backup"))
    var words: [String] = []

    @OptionGroup var keys: SetupKeys

    @OptionGroup var ownerKeys: OwnerKeyOptions

    @Flag(help: "Leave the secrets out: the board then makes identities of its own.")
    var withoutSecrets = false

    @Option(
        help: ArgumentHelp(
            "Name of the board in the archive; default: that in the backup.", valueName: "name"))
    var name: String?

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var archive: ArchiveOptions

    private var file: String? { port.others(words).first }

    func validate() throws {
        if port.named == nil { try port.requirePort() }
        guard file != nil else { throw ValidationError("give the file of `tabardctl backup`") }
        guard words.count <= 1 else { throw ValidationError("give one backup") }
    }

    func execute() throws(Failure) {
        let path = port.path ?? ""
        let backup = try SavedBoard(file ?? "")
        let secrets = try withoutSecrets ? [] : backup.secrets(ownerKeys)
        let present = try PresentBoard(path, baud: baud)
        let settings = try RestoredSettings(backup.contents.configuration, over: present.configuration)
        let keys = try keys.atHand()
        try present.checkOwner(keys)
        guard secrets.isEmpty || keys != nil else {
            throw Failure(
                .usage,
                "a board without keys of its owner gets no secrets; leave out --without-keys, or give "
                    + "--without-secrets")
        }
        let archive = try archive.open(.create)
        try backup.check(against: archive)
        if !secrets.isEmpty { try checkKey(of: present, in: archive) }
        try confirm(settings, secrets, keys, backup.contents, present)
        let run = SetupRun(
            port: path, baud: baud, archive: archive, keys: keys, assignments: settings.assignments,
            secrets: secrets, boardName: name ?? backup.contents.name, summary: settings.summary)
        try run.run(present)
        if present.log != backup.contents.log {
            Console.report(
                "Do not use the board with log \(backup.contents.log.short) any more; "
                    + "it has the same identity."
            )
        }
    }

    /// Gives no secrets to a board that the archive knows by another key than the one it shows.
    private func checkKey(of present: PresentBoard, in archive: Archive) throws(Failure) {
        guard let shown = present.keys?.board else { return }
        guard try archive.canBeKey(shown, of: present.log) else {
            throw Failure(
                .noPermission,
                "\(present.port): shows the board key \(shown.fingerprintText), and the archive knows that "
                    + "board by another; run `tabardctl provision` first if it has lost its key file")
        }
    }

    private func confirm(
        _ settings: RestoredSettings, _ secrets: [(scheme: SchemeID, record: SchemeRecord)],
        _ keys: SetupKeys.AtHand?, _ backup: BoardBackup, _ present: PresentBoard
    ) throws(Failure) {
        Console.report("\(present.port): log \(present.log.short), tabard \(present.status.versionText)")
        Console.report("  becomes    \(settings.summary), as backed up from \(backup.title)")
        if let shown = present.keys?.board { Console.report("  board key  \(shown.fingerprintText)") }
        Console.report("  backed up  with the board key \(backup.boardKey.fingerprintText)")
        for assignment in settings.assignments {
            Console.report("  with       \(PlainText.displayable(assignment))")
        }
        for (scheme, record) in secrets { Console.report("  secrets    \(scheme.name): \(record.text)") }
        if !settings.leftKeys.isEmpty {
            Console.report("  unchanged  \(settings.leftKeys.joined(separator: ", "))")
        }
        present.reportNewKeys(keys)
        if let keys, keys.operatorKey.fingerprint != backup.operatorFingerprint {
            Console.report(
                "  note       the operator key was \(Fingerprint.text(backup.operatorFingerprint))")
        }
        try Consent.require("Restore the backup to this board?", yes: yes, otherwise: "nothing was changed")
    }
}

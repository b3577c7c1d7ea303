import Archive
import ArgumentParser
import Backups
import BoardLink
import CommandLineText
import FixedMemory
import KeyFiles
import LogContents
import TextFormats

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

    @Argument(help: ArgumentHelp("The file of `tabardctl backup`.", valueName: "backup"), completion: .file())
    var words: [String] = []

    @OptionGroup var keys: SetupKeys

    @OptionGroup var ownerKeys: OwnerKeyOptions

    @OptionGroup var trust: TrustOptions

    @Flag(help: "Leave the secrets out: the board then makes identities of its own.")
    var withoutSecrets = false

    @Option(
        help: ArgumentHelp(
            "Name of the board in the archive; default: that in the backup.", valueName: "name"))
    var name: String?

    @OptionGroup var consent: ConsentOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var archive: ArchiveOptions

    private var files: [String] { port.others(words) }

    func validate() throws {
        if port.named == nil { try port.requirePort() }
        guard !files.isEmpty else { throw ValidationError("give the file of `tabardctl backup`") }
        guard files.count == 1 else { throw ValidationError("give one backup") }
        if let name { try BoardNameRule.check(name) }
    }

    func execute() throws(Failure) {
        let path = port.path ?? ""
        let backup = try SavedBoard(files.first ?? "")
        let opened = try withoutSecrets ? [] : backup.secrets(ownerKeys)
        let present = try PresentBoard(path, baud: baud)
        let secrets = RestoredSecrets(
            opened, isSameBoard: present.log == backup.contents.log, today: CalendarDate.today)
        let settings = try RestoredSettings(backup.contents.configuration, over: present)
        let keys = try keys.atHand(dryRun: consent.dryRun)
        try present.checkOwner(keys)
        guard secrets.given.isEmpty || keys != nil || consent.dryRun else {
            throw Failure(
                .usage,
                "a board without keys of its owner gets no secrets; leave out --without-keys, or give "
                    + "--without-secrets")
        }
        let archive = try archive.open(for: consent)
        let areKnown = try check(backup, present, givesSecrets: !secrets.given.isEmpty, archive)
        RestoreSummary(
            backup: backup.contents, present: present, settings: settings, secrets: secrets, keys: keys,
            areKeysKnown: areKnown
        ).report()
        guard try consent.isGiven("Restore the backup to this board?", otherwise: "nothing was changed")
        else { return }
        var run = SetupRun(
            port: path, baud: baud, archive: archive, keys: keys, assignments: settings.assignments,
            secrets: secrets.given, boardName: name ?? backup.contents.label.name, summary: settings.summary)
        do throws(Failure) { try run.run(present) } catch {
            if !run.storedSecrets.isEmpty {
                let stored = BackupCommand.names(run.storedSecrets)
                Console.report("\(path): the board has the secrets of \(stored) already.")
                warn(of: backup.contents.log, present.log)
            }
            throw error
        }
        warn(of: backup.contents.log, present.log)
    }

    /// - Parameter former: the log of the board that was backed up.
    private func warn(of former: LogIdentity, _ present: LogIdentity) {
        guard former != present else { return }
        Console.report(
            "Do not use the board with log \(former.short) any more; it has the same identity.")
    }

    /// Checks the keys of both boards. With a false one, others would know the secrets of the board.
    /// - Returns: whether the archive knows both keys.
    private func check(
        _ backup: SavedBoard, _ present: PresentBoard, givesSecrets: Bool, _ archive: Archive
    ) throws(Failure) -> Bool {
        let trust = RestoreTrust(
            archive: archive, policy: trust.policy, isUnattended: consent.yes && givesSecrets)
        let isSourceKnown = try trust.check(
            backup.contents.boardKey, of: backup.contents.log, "\(backup.path): the board that it is of",
            remedy: "do not use the file unless you know why")
        guard givesSecrets, let shown = present.keys?.board else { return isSourceKnown }
        let isTargetKnown = try trust.check(
            shown, of: present.log, "\(present.port): the board",
            remedy: "run `tabardctl provision` first if it has lost its key file")
        return isSourceKnown && isTargetKnown
    }
}

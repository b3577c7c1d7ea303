import ArgumentParser
import BoardLink
import CommandLineText

struct SetupCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set a board up: its role, its place, its keys and its clock.",
        usage: "tabardctl setup [<port>] [<options>]",
        discussion: """
            Examples:
              tabardctl setup
              tabardctl setup /dev/ttyACM0 --venue-number 1234 --name Foyer
              tabardctl setup /dev/ttyACM0 --role wearable --name "Badge 7" --yes

            The command asks for what the options do not give; with --yes the options must give everything. \
            It then gives the board the public \
            keys of its owner and operator, sets the role and the place in the board's \
            configuration, waits until the radio works, sets the clock, fetches the log and names the \
            board in the archive. Before it changes anything it shows all of that and asks.

            The keys come from ~/.config/tabard, or from the folder of --keys. If there are none, \
            they are created. A board that has keys already needs its operator's private key.

            A new board leaves its radio off until it is set up. The command may be run again to \
            change the role or the place; what is set stays unless an option changes it. The board's \
            own file is not changed: settings over the cable override it.
            """)

    @OptionGroup var port: PortOptions

    @OptionGroup var place: PlaceOptions

    @OptionGroup var keys: SetupKeys

    @OptionGroup var consent: ConsentOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var archive: ArchiveOptions

    func validate() throws { try port.requireOne() }

    func execute() throws(Failure) {
        let path = try BoardPorts.find(given: port.path.map { [$0] } ?? [], all: false, baud: baud)[0]
        let present = try PresentBoard(path, baud: baud)
        var settings = place.settings
        if !consent.yes { settings = try PlaceQuestions(options: place, present: present).settings() }
        try settings.check(over: present.configuration)
        let keys = try keys.atHand(dryRun: consent.dryRun)
        try present.checkOwner(keys)
        guard try isAgreed(settings, keys, present) else { return }
        let archive = try archive.open(.create)
        var run = SetupRun(
            port: path, baud: baud, archive: archive, keys: keys, assignments: settings.assignments,
            boardName: settings.boardName, summary: settings.summary)
        try run.run(present)
    }

    private func isAgreed(
        _ settings: PlaceSettings, _ keys: SetupKeys.AtHand?, _ present: PresentBoard
    ) throws(Failure) -> Bool {
        Console.report("\(present.port): log \(present.log.short), tabard \(present.status.versionText)")
        Console.report("  becomes    \(settings.summary)")
        for assignment in settings.others { Console.report("  with       \(assignment)") }
        present.reportNewKeys(keys)
        if keys == nil, !consent.dryRun || self.keys.withoutKeys, present.keys?.operatorFingerprint == nil {
            Console.report("  keys       none: anyone who has the board can read its log and change it")
        }
        return try consent.isGiven("Set the board up?", otherwise: "nothing was changed")
    }
}

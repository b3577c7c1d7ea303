import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import Foundation
import Reports
import Sync

struct SyncCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Fetch what a board recorded into the archive.",
        discussion: """
            Asks only for what the archive lacks, oldest first, and keeps what has come: if the cable is pulled or you \
            press Control-C, the next run goes on at that byte. Closed segments are compared with the \
            board's own hash. The board is told the time.

            A board with an opening key seals its log. With that key (--opening) sync opens what it fetches; without, it \
            stores all the same, and `tabardctl open` opens it later.

            Without --port the boards that are plugged in are looked for; if there are several, say which, or --all. \
            Several are fetched from at once.

            With --watch it stays: boards may be plugged in and out at any time, and each has a line that says how far \
            it is and when it may be unplugged. It ends at Control-C: exit code 0, or 75 when a board was not fetched \
            whole, 65 when one's storage is damaged, 69 when there was none.

            Examples:
              tabardctl sync
              tabardctl sync --port /dev/ttyACM0 --name Foyer
              tabardctl sync --all --archive /srv/tabard/archive.sqlite
              tabardctl sync --watch --port '/dev/ttyACM*'
            """)

    enum Mode: EnumerableFlag {
        case once, watch

        static func help(for value: Mode) -> ArgumentHelp? {
            switch value {
            case .once: "Fetch from each board once, and end."
            case .watch: "Be a dock: fetch from boards as they are plugged in, until Control-C."
            }
        }
    }

    @Flag var mode = Mode.once

    @Option(
        help: ArgumentHelp(
            "The board's serial port, or a pattern such as '/dev/ttyACM*'; may be repeated.",
            valueName: "path"
        ))
    var port: [String] = []

    @Flag(help: "Every board that is plugged in.")
    var all = false

    @Option(help: ArgumentHelp("What to call the board from now on.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "With --watch: how long until a board that stays plugged in is asked again; 0: not at all.",
            valueName: "seconds"))
    var every: UInt32 = 900

    @Flag(inversion: .prefixedNo, help: "Tell the board the time.")
    var setClock = true

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    @OptionGroup var keys: KeyOptions

    @OptionGroup var opening: OpeningOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        if let name, name.isEmpty || name.contains(where: \.isNewline) {
            throw ValidationError("--name must be one line of text")
        }
        if name != nil, all || port.count > 1 || mode == .watch {
            throw ValidationError("--name is for one board: give one --port")
        }
    }

    func execute() throws(Failure) {
        let patterns = port.isEmpty ? SerialPorts.patterns : port
        let paths = mode == .watch ? [] : try BoardPorts.find(given: port, all: all, baud: baud)
        let archive = try archive.open(.create)
        let options = try options()
        let dock = SyncDock(archive: archive, options: options, baud: baud)
        switch mode {
        case .watch: try dock.watch(patterns, intervalSeconds: every)
        case .once where paths.count == 1: try synchronise(paths[0], archive, options)
        case .once: try dock.once(paths)
        }
    }

    private func options() throws(Failure) -> Synchroniser.Options {
        var options = Synchroniser.Options()
        options.operatorKey = try keys.key()
        options.openingKeys = try opening.keys()
        options.name = name
        options.setsClock = setClock
        return options
    }

    private func synchronise(
        _ path: String, _ archive: Archive, _ options: Synchroniser.Options
    ) throws(Failure) {
        let summary = try BoardFetch(archive: archive, options: options, baud: baud).run(path)
        let label = try archiving { () throws(ArchiveError) in try archive.label(of: summary.board) }
        Console.print("\(label): \(SyncSummaryText.text(summary))")
        if let damage = SyncSummaryText.damage(summary, label) { throw damage }
    }
}

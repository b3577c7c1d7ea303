import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import Foundation
import LogContents
import Reports
import Sync

struct SyncCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Fetch new log data from boards.",
        usage: "tabardctl sync [<port> ...] [<options>]",
        discussion: """
            Examples:
              tabardctl sync
              tabardctl sync --port /dev/ttyACM0 --name Foyer
              tabardctl sync --port /dev/ttyACM0 --trust new
              tabardctl sync --all --archive /srv/tabard/archive.sqlite
              tabardctl sync --watch --port '/dev/ttyACM*'

            The command fetches only data that the archive lacks, oldest first, and stores it \
            immediately. After an interruption the next run continues at that byte. It compares complete \
            segments with the board's own hash.

            A board proves itself with its key before anything of it is stored. A board that the \
            archive does not know stays untrusted: its log is stored, but nothing in it counts until \
            `tabardctl trust` or --trust. If a device cannot prove to be the known board, nothing is \
            stored, and the exit code is 77. Stored data is never replaced: if a board's log differs \
            from the stored one, both stay, and `tabardctl verify` reports it.

            A board with an owner key encrypts its log. With that key (--opening) the command \
            decrypts the log. Without it, `tabardctl open` can decrypt it later.

            Without --port the command looks for the boards that are plugged in. For several boards \
            give --port or --all; it fetches from them in parallel.

            With --watch the command keeps running while boards are plugged in and out. It shows a \
            line per board with the progress, and when the board is safe to unplug. Control-C ends \
            it. Exit codes of --watch: 0 done; 65 a board has damaged storage; 69 no board; 75 a \
            fetch is incomplete.
            """)

    enum Mode: EnumerableFlag {
        case once, watch

        static func help(for value: Mode) -> ArgumentHelp? {
            switch value {
            case .once: "Fetch from each board once, then exit."
            case .watch: "Fetch from boards as they are plugged in, until Control-C."
            }
        }
    }

    @Flag var mode = Mode.once

    @Option(
        help: ArgumentHelp(
            "Serial port of a board, or a pattern such as '/dev/ttyACM*'; may be repeated; default: the "
                + "only board.",
            valueName: "path"
        ), completion: ValueCompletion.port)
    var port: [String] = []

    @Argument(
        help: ArgumentHelp("Serial port; the same as --port.", valueName: "port"),
        completion: ValueCompletion.port)
    var morePorts: [String] = []

    @Flag(help: "Fetch from every board that is plugged in.")
    var all = false

    @Option(help: ArgumentHelp("New name of the board in the archive.", valueName: "name"))
    var name: String?

    @Option(
        help: ArgumentHelp(
            "With --watch: seconds until the next fetch from a board that stays plugged in; 0 for never.",
            valueName: "seconds"))
    var every: UInt32 = 900

    @Flag(inversion: .prefixedNo, help: "Set the board's clock from this computer.")
    var setClock = true

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var trust: TrustOptions

    @OptionGroup var keys: KeyOptions

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup var archive: ArchiveOptions

    private var givenPorts: [String] { port + morePorts }

    func validate() throws {
        if let name { try BoardNameRule.check(name) }
        if name != nil, all || givenPorts.count > 1 || mode == .watch {
            throw ValidationError("--name needs exactly one --port")
        }
    }

    func execute() throws(Failure) {
        let patterns = givenPorts.isEmpty ? SerialPorts.patterns : givenPorts
        let paths = mode == .watch ? [] : try BoardPorts.find(given: givenPorts, all: all, baud: baud)
        let options = try options()
        let archive = try archive.openUpgraded(.create, keys: options.ownerKeys)
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
        options.ownerKeys = try ownerKey.keys()
        options.name = name
        options.trust = trust.policy
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

import ArgumentParser
import BoardLink
import CommandLineText
import Dashboard
import Foundation
import Sync

struct ServeCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Show boards and the archive in a browser.",
        usage: "tabardctl serve [<options>]",
        discussion: """
            Examples:
              tabardctl serve
              tabardctl serve --sync
              tabardctl serve --port 0 --archive /srv/tabard/archive.sqlite --no-dock

            The command prints an address and serves a dashboard there until Control-C: the boards \
            that are plugged in and how they are, who met, contacts, presence, encounters, coverage, \
            and downloads. Open the address in a browser of this computer. It contains a token, new \
            at each start; without it the dashboard answers nobody. docs/dashboard.md has more.

            The dashboard changes nothing, except that it can fetch from boards: with --sync as soon \
            as one is plugged in, otherwise if somebody presses its button.
            """)

    @Option(help: ArgumentHelp("TCP port, 0 to 65535; 0 for any that is free.", valueName: "number"))
    var port = 8733

    @Option(
        help: ArgumentHelp(
            "Address of this computer to listen at. Others than loopback are plain HTTP on a network.",
            valueName: "address"))
    var address = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "Serial port of a board, or a pattern such as '/dev/ttyACM*'; may be repeated; default: all "
                + "usual ones.",
            valueName: "path"), completion: ValueCompletion.port)
    var board: [String] = []

    @Flag(inversion: .prefixedNo, help: "Look for boards that are plugged in.")
    var dock = true

    @Flag(help: "Fetch from boards as they are plugged in.")
    var sync = false

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var trust: TrustOptions
    @OptionGroup var keys: KeyOptions
    @OptionGroup var ownerKey: OwnerKeyOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port \(port): write 0 to 65535")
        }
        guard !["", "0.0.0.0", "::", "*"].contains(address) else {
            throw ValidationError(
                "--address \(address): write one address of this computer, because the dashboard answers only "
                    + "to the address that it prints")
        }
        if !dock, sync || !board.isEmpty {
            throw ValidationError("--no-dock leaves nothing to --sync and --board")
        }
    }

    /// Its reader is in the browser.
    var showsProgress: Bool { false }

    func execute() throws(Failure) {
        var options = Synchroniser.Options()
        options.operatorKey = try keys.key()
        options.ownerKeys = try ownerKey.keys()
        options.trust = trust.policy
        let served =
            dock
            ? ServedDock(
                patterns: board.isEmpty ? SerialPorts.patterns : board, baud: baud, sync: options,
                archive: archive, fetchesAlways: sync) : nil
        let token = AccessToken()
        let pages = ServedPages(archive: archive, dock: served, token: token)
        let server = DashboardServer(address: address, port: port, token: token) { pages.answer($0) }
        Interruption.watch()
        // A browser that goes away in the middle of a reply must not end the program.
        signal(SIGPIPE, SIG_IGN)
        if !AccessRules.isLoopback(address) {
            Console.report(
                "warning: \(address) is on a network, and the dashboard is plain HTTP: whoever reads the traffic "
                    + "sees the pages and the token; prefer loopback and a tunnel (ssh -L)")
        }
        do throws(DashboardError) {
            try server.run { port in
                Console.print(Self.link(address, port, token))
            } step: {
                guard !Interruption.isRequested else { return false }
                served?.step()
                return true
            }
        } catch {
            throw Failure(error, address, port)
        }
        served?.finish()
    }

    private static func link(_ address: String, _ port: Int, _ token: AccessToken) -> String {
        "http://\(address.contains(":") ? "[\(address)]" : address):\(port)/?token=\(token.text)"
    }
}

extension Failure {
    fileprivate init(_ error: DashboardError, _ address: String, _ port: Int) {
        switch error {
        case .portInUse:
            self.init(
                .unavailable,
                "port \(port) of \(address) is in use, perhaps by another `tabardctl serve`; stop that, or give "
                    + "--port 0 for any that is free")
        case .cannotBind(let code):
            self.init(
                .unavailable,
                "cannot listen at port \(port) of \(address): \(String(cString: strerror(code))); give another "
                    + "--address or --port")
        case .failed(let reason):
            self.init(
                .unavailable, "cannot listen at port \(port) of \(address): \(reason); give another --address"
            )
        }
    }
}

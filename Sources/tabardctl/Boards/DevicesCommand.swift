import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory
import Foundation
import KeyFiles
import LogContents
import Reports

struct DevicesCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "List serial ports and the boards behind them.",
        usage: "tabardctl devices [<port> ...] [<options>]",
        discussion: """
            Examples:
              tabardctl devices
              tabardctl devices --port /tmp/board

            The command probes every serial port of this computer, and the ports given, for a \
            moment. It changes nothing.
            """)

    @Option(
        help: ArgumentHelp("Additional serial port to probe; may be repeated.", valueName: "path"),
        completion: ValueCompletion.port)
    var port: [String] = []

    @Argument(
        help: ArgumentHelp("Serial port; the same as --port.", valueName: "port"),
        completion: ValueCompletion.port)
    var morePorts: [String] = []

    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    func execute() throws(Failure) {
        let listing = try output.listing()
        let given = port + morePorts
        let paths = SerialPorts.candidates(given: given)
        for path in given where !FileManager.default.fileExists(atPath: path) {
            Console.report("tabardctl: \(path): no such port")
        }
        let probed = paths.map { SerialPorts.probe($0, baud: baud) }
        if listing.format == .json {
            try listing.write("the ports") {
                try PrintedJSON.data(rows: probed.map { PortDocument($0, now: .now) })
            }
        }
        guard !paths.isEmpty else {
            throw Failure(.unavailable, "no serial port found; plug a board in or give its port with --port")
        }
        if listing.format == .table {
            listing.print(table(probed))
            try listing.finish()
        }
        var portsOfLog: [LogIdentity: [UInt64: String]] = [:]
        for case (let path, .board(let index, let status)) in probed.map({ ($0.path, $0.finding) }) {
            // A board that answers at two ports has one boot.
            portsOfLog[index.board, default: [:]][status.bootIdentifier] = path
        }
        for (board, boots) in portsOfLog where boots.count > 1 {
            let ports = boots.values.sorted()
            Console.report(
                "tabardctl: \(ports.joined(separator: " and ")) have one log, \(board.short): their cards are copies "
                    + "of one that had been started; write the card of one anew")
        }
        guard !portsOfLog.isEmpty else {
            throw Failure(.unavailable, "no board answered; the list shows what each port answered")
        }
    }

    private func table(_ ports: [ProbedPort]) -> TextTable {
        var table = TextTable([
            .init(title: "PORT", narrowing: .wrapped(minimum: 12)), .init(title: "LOG"),
            .init(title: "VERSION"), .init(title: "HOLDS", isNumber: true),
            .init(title: "CLOCK", narrowing: .wrapped(minimum: 8)),
            .init(title: "STATE", narrowing: .below),
            .init(title: "RADIO", narrowing: .wrapped(minimum: 16)),
            .init(title: "KEYS", narrowing: .below),
        ])
        for port in ports { table.append(row(port)) }
        return table
    }

    private func row(_ probed: ProbedPort) -> [String] {
        switch probed.finding {
        case .board(let index, let status):
            let byteCount = index.segments.reduce(0) { $0 + Int($1.byteCount) }
            return [
                probed.path, index.board.short, status.versionText,
                ByteText.text(byteCount),
                clock(status.wallClock),
                BoardStateText.text(status),
                status.radioText, Self.text(probed.keys),
            ]
        case .otherServer: return row(probed, "an SMP server, but not a Tabard board")
        case .silent: return row(probed, "no answer")
        case .closed(let error): return row(probed, Failure(error).reason)
        }
    }

    private func row(_ probed: ProbedPort, _ state: String) -> [String] {
        [probed.path, "-", "-", "-", "-", state, "-", "-"]
    }

    /// The first digits of the fingerprints of the board's own key and of its operator's.
    private static func text(_ keys: BoardKeyReport?) -> String {
        guard let keys else { return "none" }
        let board = keys.board.fingerprintText.prefix(9)
        guard let operatorKey = keys.operatorFingerprint else { return "board \(board), not provisioned" }
        return "board \(board), operator \(Fingerprint.text(operatorKey).prefix(9))"
    }

    private func clock(_ wallClock: WallClockTime?) -> String {
        guard let wallClock else { return "not set" }
        let now = WallClockTime.now
        let difference = max(wallClock.interval(since: now), now.interval(since: wallClock))
        guard difference >= .seconds(1) else { return "right" }
        return "\(TimeText.duration(difference)) \(wallClock < now ? "slow" : "fast")"
    }
}

extension Failure {
    /// The message without the port's name at its start.
    fileprivate var reason: String {
        message.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? message
    }
}

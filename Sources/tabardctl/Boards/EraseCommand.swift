import ArgumentParser
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory

struct EraseCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Erase old log segments on a board.",
        usage: "tabardctl erase <port> [<options>]",
        discussion: """
            Examples:
              tabardctl erase /dev/ttyACM0
              tabardctl erase /dev/ttyACM0 --through 117 --operator operator.pem
              tabardctl erase /dev/ttyACM0 --older-than 14d
              tabardctl erase /dev/ttyACM0 --through 117 --force

            The board erases whole segments, oldest first, and only acknowledged ones. `tabardctl \
            sync` acknowledges a segment after it has stored and compared it. The newest segment \
            stays because the board still writes to it.

            The command shows what it will erase and asks. Erased data cannot be recovered. The board \
            forgets the key of each encrypted page when it writes the page. It records each erasure in \
            its log.

            By default the board erases all acknowledged segments. --older-than compares UTC days as \
            the board knew them. The board erases a segment if the next one began before that day. A \
            board with an operator key requires a signature with that key.
            """)

    @OptionGroup var port: PortOptions

    @Option(help: ArgumentHelp("Erase up to and including this segment number.", valueName: "segment"))
    var through: UInt32?

    @Option(
        help: ArgumentHelp(
            "Erase only older segments: an age such as 14d, or a day such as 2026-11-21.", valueName: "age"))
    var olderThan: String?

    @Flag(help: "Also erase segments that were never fetched; needs --through or --older-than.")
    var force = false

    @OptionGroup var consent: ConsentOptions

    @OptionGroup var keys: KeyOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    func validate() throws {
        try port.requirePort()
        guard !force || through != nil || olderThan != nil else {
            throw ValidationError("--force needs --through or --older-than")
        }
        guard through == nil || olderThan == nil else {
            throw ValidationError("give one of --through and --older-than")
        }
    }

    func execute() throws(Failure) {
        let cutoff = try olderThan.map { text throws(Failure) in try AgeArgument.time(text) }
        let operatorKey = try keys.key()
        let client = try BoardPorts.open(port.path ?? "", baud: baud)
        client.operatorKey = operatorKey
        let request = try linked(client) { () throws(LinkError) in
            ErasureRequest(firstKeptOrdinal: try firstKept(client, before: cutoff), isForced: force)
        }
        guard try isAgreed(request) else { return }
        let (count, status) = try linked(client) { () throws(LinkError) in
            (try erase(request, client), try client.status())
        }
        Console.print("\(Count.text(count, "segment")) erased, \(status.segmentCount) left")
    }

    private func linked<Value>(
        _ client: BoardClient, _ work: () throws(LinkError) -> Value
    ) throws(Failure) -> Value {
        do throws(LinkError) { return try work() } catch {
            if case .refused(_, .notAcknowledged) = error {
                throw Failure(
                    .tryAgain,
                    "some of these segments were not fetched and acknowledged; run `tabardctl sync` "
                        + "first, or add --force"
                )
            }
            throw Failure(error, reason: client.refusalReason)
        }
    }

    private func isAgreed(_ request: ErasureRequest) throws(Failure) -> Bool {
        guard consent.dryRun || !consent.yes else { return true }
        let range =
            request.firstKeptOrdinal == .max
            ? "all complete segments" : "the segments before number \(request.firstKeptOrdinal)"
        Console.report(
            "\(port.path ?? ""): erases \(range)"
                + (force ? ", also those that were never fetched" : ", if they were fetched and acknowledged")
        )
        return try consent.isGiven("Erase them permanently?", otherwise: "nothing was erased")
    }

    private func erase(_ request: ErasureRequest, _ client: BoardClient) throws(LinkError) -> UInt32 {
        var count: UInt32 = 0
        while true {
            let erased = try client.erase(request)
            guard erased > 0 else { return count }
            count += erased
        }
    }

    private func firstKept(_ client: BoardClient, before cutoff: WallClockTime?) throws(LinkError) -> UInt32 {
        if let through { return through == .max ? .max : through + 1 }
        if let cutoff { return try client.firstSegment(notBefore: cutoff) }
        return try client.status().syncedThrough.segmentOrdinal
    }
}

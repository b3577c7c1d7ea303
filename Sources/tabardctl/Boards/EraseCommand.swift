import ArgumentParser
import BoardLink
import CommandLineText
import DeviceSync

struct EraseCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Have a board erase what it no longer needs to keep.",
        discussion: """
            Whole segments, oldest first, and only those that were acknowledged: `tabardctl sync` does that when it has \
            stored and compared them. The newest segment stays, for the log goes on in it. What is erased is gone: the \
            keys of sealed pages were forgotten when the pages were written. The board writes into its log what it erased.

            Without --through and --older-than: all that was acknowledged. --older-than goes by days (UTC), as the board \
            knew them: a segment goes when the one behind it was begun before that day. A board that has an operator key \
            wants this signed with it.

            Examples:
              tabardctl erase /dev/ttyACM0
              tabardctl erase /dev/ttyACM0 --through 117 --operator operator.pem
              tabardctl erase /dev/ttyACM0 --older-than 14d
              tabardctl erase /dev/ttyACM0 --through 117 --force
            """)

    @Argument(help: ArgumentHelp("The board's serial port.", valueName: "port"))
    var port: String

    @Option(help: ArgumentHelp("Up to this segment, and it too.", valueName: "segment"))
    var through: UInt32?

    @Option(help: ArgumentHelp("Only what is older: 14d, or a day such as 2026-11-21.", valueName: "age"))
    var olderThan: String?

    @Flag(help: "With --through or --older-than: also what was never fetched.")
    var force = false

    @OptionGroup var keys: KeyOptions

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    func validate() throws {
        guard !force || through != nil || olderThan != nil else {
            throw ValidationError("--force says nothing without --through or --older-than")
        }
        guard through == nil || olderThan == nil else {
            throw ValidationError("give one of --through and --older-than")
        }
    }

    func execute() throws(Failure) {
        let cutoff = try olderThan.map { text throws(Failure) in try AgeArgument.milliseconds(text) }
        let operatorKey = try keys.key()
        let client = try BoardPorts.open(port, baud: baud)
        client.operatorKey = operatorKey
        do throws(LinkError) {
            let count = try erase(client, before: cutoff)
            let status = try client.status()
            Console.print("\(count) segments erased, \(status.segmentCount) left")
        } catch {
            if case .refused(_, .notAcknowledged) = error {
                throw Failure(
                    .tryAgain,
                    "not all of that was fetched and acknowledged; run `tabardctl sync` first, or add --force"
                )
            }
            throw Failure(error)
        }
    }

    private func erase(_ client: BoardClient, before cutoff: Int64?) throws(LinkError) -> UInt32 {
        let firstKept = try firstKept(client, before: cutoff)
        var count: UInt32 = 0
        while true {
            let erased = try client.erase(ErasureRequest(firstKeptOrdinal: firstKept, isForced: force))
            guard erased > 0 else { return count }
            count += erased
        }
    }

    private func firstKept(_ client: BoardClient, before cutoff: Int64?) throws(LinkError) -> UInt32 {
        if let through { return through == .max ? .max : through + 1 }
        if let cutoff { return try client.firstSegment(notBefore: cutoff) }
        return try client.status().syncedThrough.segmentOrdinal
    }
}

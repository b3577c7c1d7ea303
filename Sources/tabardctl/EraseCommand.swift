import ArgumentParser
import BoardLink
import DeviceSync

struct EraseCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "erase", abstract: "Have a board erase what it no longer needs to keep.",
        discussion: """
            Whole segments, oldest first, and only those that were acknowledged: `tabardctl sync` does that when it has \
            stored and compared them. The newest segment stays, for the log goes on in it. What is erased is gone: the \
            keys of sealed pages were forgotten when the pages were written. The board writes into its log what it erased.

            Without --through: all that was acknowledged. A board that has an operator key wants this signed with it.

            Examples:
              tabardctl erase /dev/ttyACM0
              tabardctl erase /dev/ttyACM0 --through 117 --operator operator.pem
              tabardctl erase /dev/ttyACM0 --through 117 --force
            """)

    @Argument(help: ArgumentHelp("The board's serial port.", valueName: "port"))
    var port: String

    @Option(help: ArgumentHelp("Up to this segment, and it too.", valueName: "segment"))
    var through: UInt32?

    @Flag(help: "With --through: also what was never fetched.")
    var force = false

    @OptionGroup var keys: KeyOptions

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    func validate() throws {
        guard !force || through != nil else {
            throw ValidationError("--force says nothing without --through")
        }
    }

    func execute() throws(Failure) {
        let operatorKey = try keys.key()
        let client = try BoardPorts.open(port, baud: baud)
        client.operatorKey = operatorKey
        do throws(LinkError) {
            let count = try erase(client)
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

    private func erase(_ client: BoardClient) throws(LinkError) -> UInt32 {
        let acknowledged = try client.status().syncedThrough.segmentOrdinal
        let firstKept = through.map { $0 == .max ? .max : $0 + 1 } ?? acknowledged
        var count: UInt32 = 0
        while true {
            let erased = try client.erase(ErasureRequest(firstKeptOrdinal: firstKept, isForced: force))
            guard erased > 0 else { return count }
            count += erased
        }
    }
}

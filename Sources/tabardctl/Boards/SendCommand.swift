import ArgumentParser
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory
import Foundation
import Reports

struct SendCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Have a board send a message to devices near it, at once.",
        discussion: """
            Herald's immediate message: bytes for the applications of devices with Herald. The board sends it before \
            anything else it has to do with them, to everybody it heard within the last minute, or to one of them. What \
            the bytes mean is up to you and those applications: Herald does not say.

            It follows the message until everybody has acknowledged it or was given up, for --wait seconds at most; the \
            board goes on by itself. Exit code 69: nobody is there. 75: not everybody has got it.

            Examples:
              tabardctl send "Fire drill at noon"
              tabardctl send --hex 0a01ff --to C0:01:02:03:04:05
              tabardctl send --file alert.bin --identity 103a0304004556 --wait 0
            """)

    @Argument(help: "Text, sent as UTF-8.")
    var text: String?

    @Option(help: ArgumentHelp("Bytes instead of text.", valueName: "hex"))
    var hex: String?

    @Option(help: ArgumentHelp("A file's bytes instead of text.", valueName: "path"))
    var file: String?

    @Option(help: ArgumentHelp("Only to the device with this address.", valueName: "address"))
    var to: String?

    @Flag(help: "The address of --to is a public one; most are random.")
    var publicAddress = false

    @Option(
        help: ArgumentHelp("Only to whoever has said this identity: its whole payload.", valueName: "hex"))
    var identity: String?

    @Option(help: ArgumentHelp("How long to follow it; 0 only queues it.", valueName: "seconds"))
    var wait: UInt16 = 60

    @Option(help: ArgumentHelp("The board's serial port.", valueName: "path"))
    var port: String?

    @OptionGroup var keys: KeyOptions

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    func validate() throws {
        guard [text, hex, file].compactMap(\.self).count == 1 else {
            throw ValidationError("say what to send: a text, --hex or --file, one of them")
        }
        guard to == nil || identity == nil else { throw ValidationError("either --to or --identity") }
        guard !publicAddress || to != nil else { throw ValidationError("--public-address says what --to is") }
    }

    func execute() throws(Failure) {
        let message = MessageRequest(
            number: UInt32.random(in: 1...(.max)), recipients: try recipients(), data: try data())
        let operatorKey = try keys.key()
        let path = try BoardPorts.find(given: port.map { [$0] } ?? [], all: false, baud: baud)
        Interruption.watch()
        let client = try BoardPorts.open(path[0], baud: baud)
        client.operatorKey = operatorKey
        let delivery = MessageDelivery(client: client)
        let progress = ProgressLine(name: path[0], unit: .devices)
        let result: (report: MessageReport, outcome: MessageDelivery.Outcome)
        do throws(LinkError) {
            result = try delivery.run(message, patienceMilliseconds: UInt64(wait) * 1_000) { milliseconds in
                usleep(useconds_t(milliseconds) * 1_000)
                return !Interruption.isRequested
            } report: { report in
                progress.update(
                    done: Int(report.deliveredCount + report.failedCount), of: Int(report.queuedCount))
            }
        } catch {
            progress.finish()
            throw failure(error)
        }
        progress.finish()
        try tell(result.report)
    }

    private func tell(_ report: MessageReport) throws(Failure) {
        guard report.queuedCount + report.leftOutCount > 0 else { throw nobodyThere }
        let waiting = report.waitingCount
        Console.print(
            "message \(report.number): for \(report.queuedCount) devices, delivered to \(report.deliveredCount)"
                + (report.failedCount > 0 ? ", given up at \(report.failedCount)" : "")
                + (waiting > 0 ? ", waiting for \(waiting)" : "")
                + (report.leftOutCount > 0 ? ", no room for \(report.leftOutCount) more" : ""))
        guard wait > 0 else { return }
        guard waiting == 0 else {
            throw Failure(
                .tryAgain, "\(waiting) devices have not got it yet; the board goes on trying for five minutes"
            )
        }
        guard report.failedCount == 0, report.leftOutCount == 0 else {
            throw Failure(
                .tryAgain,
                "\(report.failedCount + report.leftOutCount) devices did not get it; send it again when they are nearer"
            )
        }
    }

    private func failure(_ error: LinkError) -> Failure {
        guard case .refused(_, let refusal) = error else { return Failure(error) }
        switch refusal {
        case .messageNobodyThere: return nobodyThere
        case .messageQueueFull:
            return Failure(
                .tryAgain, "the board has too many messages to send; try again when some have gone")
        default: return Failure(error)
        }
    }

    private var nobodyThere: Failure {
        let whom = to ?? identity.map { _ in "with that identity" } ?? "with Herald"
        return Failure(.unavailable, "the board has heard no device \(whom) within the last minute")
    }

    private func data() throws(Failure) -> FixedBuffer<509> {
        let (bytes, source) = try content()
        guard let data = FixedBuffer<509>(bytes.span), !data.isEmpty else {
            throw Failure(.data, "\(source): \(bytes.count) bytes; a message has 1 to 509")
        }
        return data
    }

    private func content() throws(Failure) -> (bytes: [UInt8], source: String) {
        if let text { return (Array(text.utf8), "the text") }
        guard let hex else { return (try contents(of: file ?? ""), file ?? "") }
        guard let value = [UInt8](hexadecimal: hex) else {
            throw Failure(.usage, "--hex \(hex): write an even number of hexadecimal digits")
        }
        return (value, "--hex")
    }

    private func contents(of path: String) throws(Failure) -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Failure(.noInput, "\(path): cannot be read; is it there, and may you read it?")
        }
        // One more than fits tells that it is too long, whatever its length.
        do {
            return [UInt8](try handle.read(upToCount: MessageRequest.maximumByteCount + 1) ?? Data())
        } catch {
            throw Failure(.inputOutput, "\(path): \(error.localizedDescription)")
        }
    }

    private func recipients() throws(Failure) -> MessageRequest.Recipients {
        if let to {
            guard let address = Self.address(to) else {
                throw Failure(.usage, "--to \(to): write an address such as C0:01:02:03:04:05")
            }
            return .address(address, type: publicAddress ? 0 : 1)
        }
        if let identity {
            let bytes = [UInt8](hexadecimal: identity) ?? []
            guard let whole = FixedBuffer<512>(bytes.span), !whole.isEmpty else {
                throw Failure(.usage, "--identity: write its 1 to 512 bytes in hexadecimal digits")
            }
            return .identity(whole)
        }
        return .all
    }

    /// As on the air, least significant byte first.
    private static func address(_ text: String) -> Bytes<6>? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.count == 2 }) else { return nil }
        let bytes = [UInt8](hexadecimal: parts.reversed().joined()) ?? []
        return Bytes<6>(bytes.span)
    }
}

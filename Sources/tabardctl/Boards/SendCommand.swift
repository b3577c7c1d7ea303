import ArgumentParser
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory
import Foundation
import Reports

struct SendCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send a message through a board to devices near it.",
        usage: "tabardctl send [<text>] [<options>]",
        discussion: """
            Examples:
              tabardctl send "Fire drill at noon"
              tabardctl send --hex 0a01ff --to C0:01:02:03:04:05
              tabardctl send --file alert.bin --identity 103a0304004556 --wait 0

            The command sends a Herald immediate message to the applications of devices with Herald. \
            The board sends it before other work to every device that it heard within the last \
            minute, or to one of them. Herald does not define what the bytes mean.

            The command reports delivery until each device has acknowledged the message or failed, \
            or until --wait ends. The board keeps trying on its own.

            Exit codes: 0 every device received it; 69 no device near; 75 some devices have not \
            received it.
            """)

    @Argument(help: "Text of the message, sent as UTF-8.")
    var text: String?

    @Option(help: ArgumentHelp("Message in hexadecimal instead of text, 1 to 509 bytes.", valueName: "hex"))
    var hex: String?

    @Option(
        help: ArgumentHelp("File with the message instead of text, 1 to 509 bytes.", valueName: "path"),
        completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("Send only to the device with this address.", valueName: "address"))
    var to: String?

    @Flag(help: "The address of --to is public; the default is random.")
    var publicAddress = false

    @Option(
        help: ArgumentHelp(
            "Send only to the device with this identity: its whole payload, 1 to 512 bytes.", valueName: "hex"
        ))
    var identity: String?

    @Option(
        help: ArgumentHelp(
            "Seconds to wait for delivery, 0 to 65535; 0 only queues the message.", valueName: "seconds"))
    var wait: UInt16 = 60

    @Option(
        help: ArgumentHelp(
            "Serial port of the board; default: the only board plugged in.", valueName: "path"),
        completion: ValueCompletion.port)
    var port: String?

    @OptionGroup var keys: KeyOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    func validate() throws {
        guard [text, hex, file].compactMap(\.self).count == 1 else {
            throw ValidationError("give one message: a text, --hex or --file")
        }
        guard to == nil || identity == nil else { throw ValidationError("give either --to or --identity") }
        guard !publicAddress || to != nil else { throw ValidationError("--public-address needs --to") }
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
            result = try delivery.run(message, timeout: .seconds(UInt64(wait))) { pause in
                usleep(useconds_t(pause.milliseconds) * 1_000)
                return !Interruption.isRequested
            } report: { report in
                progress.update(
                    done: Int(report.deliveredCount + report.failedCount), of: Int(report.queuedCount))
            }
        } catch {
            progress.finish()
            throw failure(error, client.refusalReason)
        }
        progress.finish()
        try printReport(result.report)
    }

    private func printReport(_ report: MessageReport) throws(Failure) {
        guard report.queuedCount + report.leftOutCount > 0 else { throw noDeviceInRange }
        let waiting = report.waitingCount
        Console.print(
            "message \(report.number): queued for \(Count.text(report.queuedCount, "device")), delivered to "
                + "\(report.deliveredCount)"
                + (report.failedCount > 0 ? ", failed for \(report.failedCount)" : "")
                + (waiting > 0 ? ", waiting for \(waiting)" : "")
                + (report.leftOutCount > 0 ? ", no room for \(report.leftOutCount) more" : ""))
        guard wait > 0 else { return }
        guard waiting == 0 else {
            throw Failure(
                .tryAgain,
                "\(Count.text(waiting, "device has", "devices have")) not received it yet; the board keeps "
                    + "trying for five minutes"
            )
        }
        guard report.failedCount == 0, report.leftOutCount == 0 else {
            throw Failure(
                .tryAgain,
                "\(Count.text(report.failedCount + report.leftOutCount, "device")) did not receive it; send it "
                    + "again when they are nearer"
            )
        }
    }

    private func failure(_ error: LinkError, _ reason: String?) -> Failure {
        guard case .refused(_, let refusal) = error else { return Failure(error) }
        switch refusal {
        case .messageNobodyThere: return noDeviceInRange
        case .messageQueueFull:
            return Failure(
                .tryAgain, "the board's message queue is full; try again later")
        default: return Failure(error, reason: reason)
        }
    }

    private var noDeviceInRange: Failure {
        let recipient = to ?? identity.map { _ in "with that identity" } ?? "with Herald"
        return Failure(
            .unavailable,
            "the board has heard no device \(recipient) within the last minute; try again when one is near")
    }

    private func data() throws(Failure) -> FixedBuffer<509> {
        let (bytes, source) = try content()
        guard let data = FixedBuffer<509>(bytes.span), !data.isEmpty else {
            let size = bytes.isEmpty ? "0 bytes" : "more than 509 bytes"
            throw Failure(.data, "\(source): \(size); write a message of 1 to 509 bytes")
        }
        return data
    }

    private func content() throws(Failure) -> (bytes: [UInt8], source: String) {
        if let text { return (Array(text.utf8), "the text") }
        guard let hex else { return (try contents(of: file ?? ""), file ?? "") }
        guard let value = [UInt8](hexadecimal: hex) else {
            throw Failure(.usage, "--hex \(hex): not hexadecimal; write an even number of hexadecimal digits")
        }
        return (value, "--hex")
    }

    private func contents(of path: String) throws(Failure) -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw Failure(.noInput, "\(path): cannot read the file; check the name and the permissions")
        }
        // One byte over the limit suffices to show that the text is too long.
        do {
            return [UInt8](try handle.read(upToCount: MessageRequest.maximumByteCount + 1) ?? Data())
        } catch {
            throw Failure(.inputOutput, "\(path): \(error.localizedDescription)")
        }
    }

    private func recipients() throws(Failure) -> MessageRequest.Recipients {
        if let to {
            guard let address = Self.address(to) else {
                throw Failure(.usage, "--to \(to): not an address; write one such as C0:01:02:03:04:05")
            }
            return .address(address, type: publicAddress ? 0 : 1)
        }
        if let identity {
            let bytes = [UInt8](hexadecimal: identity) ?? []
            guard let whole = FixedBuffer<512>(bytes.span), !whole.isEmpty else {
                throw Failure(.usage, "--identity: not an identity; write its 1 to 512 bytes in hexadecimal")
            }
            return .identity(whole)
        }
        return .all
    }

    /// In the order of the air, least significant byte first.
    private static func address(_ text: String) -> Bytes<6>? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 6, parts.allSatisfy({ $0.count == 2 }) else { return nil }
        let bytes = [UInt8](hexadecimal: parts.reversed().joined()) ?? []
        return Bytes<6>(bytes.span)
    }
}

import ArgumentParser
import BoardLink
import Cards
import CommandLineText
import DeviceSync
import FixedMemory
import Foundation

struct UpdateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "update", abstract: "Give a board another version of its agent over the cable.",
        usage: "tabardctl update <port> <package> [<options>]",
        discussion: """
            Examples:
              tabardctl update /dev/ttyACM0 tabard_0.3.0_arm64.deb
              tabardctl update /dev/ttyACM0 tabard_0.2.0_arm64.deb --force
              tabardctl update /dev/ttyACM0 tabard_0.3.0_arm64.deb --no-wait

            The command takes the agent out of the board's Debian package, signs it with the operator \
            key, and sends it. The board goes on recording meanwhile. Then its agent commits the log \
            and ends, and the board starts the new one on trial. An agent that has written its log and \
            used its radio for a minute stays. If it does not come so far in three starts, or in five \
            minutes each time, the board goes back to the agent before.

            The rest of the package is not updated. To update all of it, install the package on the \
            board with apt; the board then runs the agent of that package.
            """)

    @OptionGroup var port: PortOptions

    @Argument(
        help: ArgumentHelp("The package, tabard_VERSION_ARCHITECTURE.deb.", valueName: "package"),
        completion: .file())
    var words: [String] = []

    @Flag(help: "Also replace a later version.")
    var force = false

    @Flag(inversion: .prefixedNo, help: "Wait until the board keeps the new agent, or goes back.")
    var wait = true

    @Flag(help: "Check the package and the board, and send nothing.")
    var dryRun = false

    @OptionGroup var keys: KeyOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    private var package: String? { port.others(words).first }

    func validate() throws {
        if port.named == nil { try port.requirePort() }
        guard package != nil else { throw ValidationError("give the package with the new agent") }
        guard words.count <= 1 else { throw ValidationError("give one package") }
    }

    func execute() throws(Failure) {
        let key = try operatorKey()
        let update = try update(from: package ?? "", signedBy: key)
        guard let before = try send(update, signedBy: key) else { return }
        Console.report("the board has the new agent, and starts it on trial")
        if wait { try UpdateTrial(port: port.path ?? "", baud: baud, before: before).finish() }
    }

    /// - Returns: the board's status before the update; nil for a dry run.
    private func send(_ update: BoardUpdate, signedBy key: OperatorKey) throws(Failure) -> BoardStatus? {
        let client = try BoardPorts.open(port.path ?? "", baud: baud)
        client.operatorKey = key
        Interruption.watch()
        let present = try linked(client) { () throws(LinkError) in try client.status() }
        guard let running = present.update else {
            throw Failure(
                .unavailable,
                "the board's agent was not started by the package's launcher, "
                    + "so nothing would start the update"
            )
        }
        guard !running.isOnTrial else {
            throw Failure(
                .tryAgain,
                "the board's agent is an update on trial; try again when it is confirmed, "
                    + "a minute after its start"
            )
        }
        guard !dryRun else {
            // A board says so itself, when it gets the header.
            guard force || !update.header.isOlder(than: present.softwareVersion) else {
                throw Failure(
                    .data,
                    "the agent in the file is older than this one; --force puts it there all the same; "
                        + "nothing was updated")
            }
            Console.report(
                "the board runs tabard \(present.versionText); it would get \(update.bytes.count) bytes; nothing "
                    + "was sent, because of --dry-run")
            return nil
        }
        let progress = ProgressLine(name: URL(filePath: package ?? "").lastPathComponent)
        let isSent = try linked(client) { () throws(LinkError) in
            try client.send(update) { done in
                progress.update(done: done, of: update.bytes.count)
                return !Interruption.isRequested
            }
        }
        progress.finish()
        guard isSent else {
            throw Failure(
                .tryAgain, "stopped; the board runs as before. The same command sends the rest")
        }
        return present
    }

    private func operatorKey() throws(Failure) -> OperatorKey {
        if let key = try keys.key() { return key }
        throw Failure(
            .noInput,
            "no operator key: a board takes only updates that its operator has signed; give --operator")
    }

    private func update(from path: String, signedBy key: OperatorKey) throws(Failure) -> BoardUpdate {
        let bytes = try Documents.bytes(path)
        do {
            let package = try BoardPackage(path: path, bytes: bytes)
            guard let version = Self.version(package.version) else {
                throw CardError.package("version \(package.version): not three numbers")
            }
            return try BoardUpdate(
                agent: package.agent, version: version, architecture: package.architecture.machineName,
                isDowngrade: force, signedBy: key)
        } catch let error as CardError {
            throw Failure(.data, "\(path): \(error.message)")
        } catch {
            throw Failure(.data, "\(path): cannot be made an update: \(error)")
        }
    }

    /// Three numbers of at most 255; what follows them does not count.
    private static func version(_ text: String) -> Bytes<3>? {
        let numbers = text.prefix { $0.isNumber || $0 == "." }.split(separator: ".").map { UInt8($0) }
        guard numbers.count == 3 else { return nil }
        var version = Bytes<3>()
        for (index, number) in numbers.enumerated() {
            guard let number else { return nil }
            version[index] = number
        }
        return version
    }

    private func linked<Value>(
        _ client: BoardClient, _ work: () throws(LinkError) -> Value
    ) throws(Failure) -> Value {
        do throws(LinkError) { return try work() } catch {
            throw Failure(error, saidBy: client, nothing: "was updated")
        }
    }
}

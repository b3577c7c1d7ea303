import ArgumentParser
import BoardLink
import CommandLineText
import Cryptography

struct RotateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace the keys of a provisioned board.",
        usage: "tabardctl rotate <port> [<options>]",
        discussion: """
            Examples:
              tabardctl rotate /dev/ttyACM0 --operator operator.pem \\
                  --new-operator new/operator.pub.pem
              tabardctl rotate /dev/ttyACM0 --new-opening new/opening.pub.pem

            The current operator key signs the command. Pages recorded before stay encrypted for the \
            owner key of their time. Keep that key as long as you want to read them. The command \
            shows the keys and asks.
            """)

    @OptionGroup var port: PortOptions

    @OptionGroup var keys: KeyOptions

    @Option(
        help: ArgumentHelp("New operator key (PEM); the public half is enough.", valueName: "file"),
        completion: ValueCompletion.key)
    var newOperator: String?

    @Option(
        name: .customLong("new-opening"),
        help: ArgumentHelp("New owner key (PEM); the public half is enough.", valueName: "file"),
        completion: ValueCompletion.key)
    var newOwnerKey: String?

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var consent: ConsentOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        try port.requirePort()
        guard newOperator != nil || newOwnerKey != nil else {
            throw ValidationError("give a new key: --new-operator, --new-opening, or both")
        }
    }

    func execute() throws(Failure) {
        var ownerKey: P256PublicKey?
        var operatorKey: P256PublicKey?
        if let newOwnerKey { ownerKey = try Keys.publicHalf(newOwnerKey) }
        if let newOperator { operatorKey = try Keys.publicHalf(newOperator) }
        guard let key = try keys.key() else {
            throw Failure(.usage, "give the board's current operator key with --operator FILE")
        }
        let archive = try archive.open(for: consent)
        let client = try BoardPorts.open(port.path ?? "", baud: baud)
        client.operatorKey = key
        try KeyExchange(client: client, archive: archive, vouches: false, consent: consent)
            .give(ownerKey: ownerKey, operatorKey: operatorKey)
    }
}

import ArgumentParser
import BoardLink
import CommandLineText
import Cryptography

struct RotateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Give a provisioned board new keys.",
        discussion: """
            Signed with the operator key that the board knows. What was recorded before stays sealed for the opening key \
            of its time: keep that one as long as you want to read it.

            Examples:
              tabardctl rotate /dev/ttyACM0 --operator operator.pem --new-operator new/operator.pub.pem
              tabardctl rotate /dev/ttyACM0 --new-opening new/opening.pub.pem
            """)

    @Argument(help: ArgumentHelp("The board's serial port.", valueName: "port"))
    var port: String

    @OptionGroup var keys: KeyOptions

    @Option(help: ArgumentHelp("The next operator key; its public half is enough.", valueName: "file"))
    var newOperator: String?

    @Option(help: ArgumentHelp("The next opening key; its public half is enough.", valueName: "file"))
    var newOpening: String?

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        guard newOperator != nil || newOpening != nil else {
            throw ValidationError("say which key is new: --new-operator, --new-opening, or both")
        }
    }

    func execute() throws(Failure) {
        var opening: P256PublicKey?
        var operating: P256PublicKey?
        if let newOpening { opening = try Keys.publicHalf(newOpening) }
        if let newOperator { operating = try Keys.publicHalf(newOperator) }
        guard let key = try keys.key() else {
            throw Failure(.usage, "name the operator key that the board knows: --operator FILE")
        }
        let archive = try archive.open(.create)
        let client = try BoardPorts.open(port, baud: baud)
        client.operatorKey = key
        try KeyExchange(client: client, archive: archive, vouches: false)
            .give(opening: opening, operating: operating)
    }
}

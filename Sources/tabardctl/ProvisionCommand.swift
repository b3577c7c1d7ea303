import Archive
import ArgumentParser
import BoardLink

struct ProvisionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision", abstract: "Give a board the public halves of your keys.",
        discussion: """
            From then on the board seals what it records for the opening key, and takes commands that change anything \
            only from the operator key. A board takes its first keys from whoever is at the cable; later ones only by \
            `tabardctl rotate`. The board's own key comes back, and is kept in the archive.

            Examples:
              tabardctl provision /dev/ttyACM0 --opening opening.pub.pem --operator operator.pub.pem
            """)

    @Argument(help: ArgumentHelp("The board's serial port.", valueName: "port"))
    var port: String

    @Option(help: ArgumentHelp("The opening key; its public half is enough.", valueName: "file"))
    var opening: String

    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp("The operator key; its public half is enough.", valueName: "file"))
    var operatorFile: String

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    @OptionGroup var archive: ArchiveOptions

    func execute() throws(Failure) {
        let opening = try Keys.publicHalf(opening)
        let operating = try Keys.publicHalf(operatorFile)
        let archive = try archive.open(.create)
        let client = try BoardPorts.open(port, baud: baud)
        try KeyExchange(client: client, archive: archive, vouches: true)
            .give(opening: opening, operating: operating)
    }
}

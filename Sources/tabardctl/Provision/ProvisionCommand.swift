import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import Exposure

struct ProvisionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Give a board the public halves of your keys, or what its identities follow from.",
        discussion: """
            With --opening and --operator: from then on the board seals what it records for the opening key, and takes \
            commands that change anything only from the operator key. A board takes its first keys from whoever is at the \
            cable; later ones only by `tabardctl rotate`. The board's own key comes back, and is kept in the archive.

            With --scheme: who the board is to be in a scheme, signed with the operator's private key. Of Herald and \
            CovidTracer it gets the keys of days, never the secret that they follow from; give it more two weeks before they run out. \
            Of Sonar it gets a registration. In BLE-Proximity and Exposure Notification identities are random: nothing is to \
            be given. The scheme is then set to "on" in the board's configuration, unless --keep-configuration. A board that \
            gets nothing, or whose days run short, makes keys itself, and writes them down in its log, for who opens that.

            Examples:
              tabardctl provision /dev/ttyACM0 --opening opening.pub.pem --operator operator.pub.pem
              tabardctl provision /dev/ttyACM0 --scheme herald --secret anna.herald --new
              tabardctl provision /dev/ttyACM0 --scheme covid-tracer --root anna.root --from 2026-12-01 --days 14
              tabardctl provision /dev/ttyACM0 --scheme sonar --registration anna.sonar
              tabardctl provision /dev/ttyACM0 --scheme exposure-notification
              tabardctl provision --scheme herald --secret anna.herald --output herald.secret
            """)

    @Argument(help: ArgumentHelp("The board's serial port.", valueName: "port"))
    var port: String?

    @Option(help: ArgumentHelp("The opening key; its public half is enough.", valueName: "file"))
    var opening: String?

    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp(
            "The operator key. Beside --opening its public half is enough; with --scheme the private one (by default ~/.config/tabard/operator.pem, if it is there).",
            valueName: "file"))
    var operatorFile: String?

    @Option(help: "herald, sonar, covid-tracer, ble-proximity or exposure-notification.")
    var scheme: ProvisionedScheme?

    @OptionGroup(title: "With --scheme") var secrets: SchemeSecretOptions

    @Flag(help: "Leave it to you to set the scheme to \"on\".")
    var keepConfiguration = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Instead of a port: the file as the board keeps it, to be put there by hand.", valueName: "file"))
    var output: String?

    @Option(help: ArgumentHelp("Speed of a line that has one.", valueName: "rate"))
    var baud: UInt32 = SerialPort.defaultBaud

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        try secrets.validate(for: scheme)
        guard let scheme else {
            guard port != nil, opening != nil, operatorFile != nil, output == nil else {
                throw ValidationError(
                    "say the port, --opening and --operator; or --scheme, and what it is to be given")
            }
            return
        }
        guard opening == nil else {
            throw ValidationError("first the keys, with --opening; then schemes, each for itself")
        }
        guard (port == nil) == (output != nil) else {
            throw ValidationError("say either the board's port or --output FILE")
        }
        guard output == nil || scheme.placeOnBoard != nil else {
            throw ValidationError(
                "--scheme \(scheme.rawValue) has no file, for its identities are random; set \(scheme.configurationKey ?? "")=on"
            )
        }
    }

    func execute() throws(Failure) {
        if let scheme {
            try provision(scheme)
        } else if let port, let opening, let operatorFile {
            let opening = try Keys.publicHalf(opening)
            let operating = try Keys.publicHalf(operatorFile)
            let archive = try archive.open(.create)
            let client = try BoardPorts.open(port, baud: baud)
            try KeyExchange(client: client, archive: archive, vouches: true)
                .give(opening: opening, operating: operating)
        }
    }

    private func provision(_ scheme: ProvisionedScheme) throws(Failure) {
        let key = try KeyOptions.key(operatorFile)
        let (record, newSecret) = try secrets.record()
        if record == nil {
            Console.note("\(scheme.rawValue): nothing is to be given, for its identities are random")
        }
        if let output, let record, let place = scheme.placeOnBoard {
            let file = try Documents.stage(output, record.bytes)
            do throws(Failure) { try newSecret?.keep() } catch {
                file.discard()
                throw error
            }
            try Documents.place(file)
            Console.print(
                "\(output) (secret): \(record.text); put it on the board \(place), mode 0600"
            )
        } else if let port {
            let client = try BoardPorts.open(port, baud: baud)
            client.operatorKey = key
            let provisioning = SchemeProvisioning(scheme: scheme, client: client)
            try provisioning.reach()
            // Before the board has anything: what it is given nobody may lose.
            try newSecret?.keep()
            do throws(Failure) { try provisioning.give(record, isSwitchedOn: !keepConfiguration) } catch {
                guard let newSecret else { throw error }
                throw Failure(
                    error.code, "\(error.message); \(newSecret.path) is made: leave out --new the next time")
            }
        }
    }
}

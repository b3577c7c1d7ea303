import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import Exposure
import Schemes

struct ProvisionCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Give a board its public keys, or a scheme's keys.",
        usage: "tabardctl provision [<port>] [<options>]",
        discussion: """
            Examples:
              tabardctl provision /dev/ttyACM0 --opening opening.pub.pem \\
                  --operator operator.pub.pem
              tabardctl provision /dev/ttyACM0 --scheme herald --secret anna.herald --new
              tabardctl provision /dev/ttyACM0 --scheme covid-tracer --root anna.root \\
                  --from 2026-12-01 --days 14
              tabardctl provision /dev/ttyACM0 --scheme sonar --registration anna.sonar
              tabardctl provision /dev/ttyACM0 --scheme exposure-notification
              tabardctl provision --scheme herald --secret anna.herald \\
                  --output herald.secret

            With --opening and --operator the board gets its first keys. From then on it encrypts \
            its log for the owner key, and accepts changes only with a signature of the operator \
            key. The command shows the keys and asks, because only the private operator key can undo \
            this. Anyone at the cable can give the first keys; later keys need `tabardctl rotate`. \
            The archive stores the board's own public key.

            With --scheme the board gets the keys for its identities in one scheme, encrypted for the \
            board's own key and signed with the operator's private key. The archive must know the \
            board's key; --trust adds it. For Herald and CovidTracer these are day keys, never the secret \
            that they derive from. Provision again two weeks before they run out. For Sonar it is a \
            registration. BLE-Proximity and Exposure Notification need no keys because their \
            identities are random.

            The command then sets the scheme to "on" in the board's configuration, unless \
            --keep-configuration is given. A board without keys for a day makes its own and records \
            them in its log.
            """)

    @OptionGroup var ports: PortOptions

    private var port: String? { ports.path }

    @Option(
        name: .customLong("opening"),
        help: ArgumentHelp("Owner key (PEM); the public half is enough.", valueName: "file"),
        completion: ValueCompletion.key)
    var ownerKey: String?

    @Option(
        name: .customLong("operator"),
        help: ArgumentHelp(
            "Operator key (PEM). With --opening the public half is enough. With --scheme the private "
                + "half; default: "
                + "~/.config/tabard/operator.pem, if it exists.",
            valueName: "file"), completion: ValueCompletion.key)
    var operatorFile: String?

    @OptionGroup(title: "With --opening and --operator") var consent: ConsentOptions

    @Option(help: "Scheme: herald, sonar, covid-tracer, ble-proximity or exposure-notification.")
    var scheme: SchemeID?

    @OptionGroup(title: "With --scheme") var secrets: SchemeSecretOptions

    @Flag(help: "Do not set the scheme to \"on\" in the board's configuration.")
    var keepConfiguration = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Write the board's key file here instead of to a port, for manual installation.",
            valueName: "file"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var trust: TrustOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        try ports.requireOne()
        try secrets.validate(for: scheme)
        guard let scheme else {
            guard port != nil, ownerKey != nil, operatorFile != nil, output == nil else {
                throw ValidationError(
                    "give the port, --opening and --operator; or --scheme with its options")
            }
            return
        }
        guard !consent.dryRun else {
            throw ValidationError("--dry-run needs --opening and --operator; with --scheme it has no meaning")
        }
        guard ownerKey == nil else {
            throw ValidationError(
                "--opening and --scheme cannot both be given; provision the keys first, then each scheme")
        }
        guard (port == nil) == (output != nil) else {
            throw ValidationError("give either the board's port or --output FILE")
        }
        guard output == nil || scheme.placeOnBoard != nil else {
            throw ValidationError(
                "--scheme \(scheme.name) has no key file because its identities are random; set "
                    + "\(scheme.configurationKey ?? "")=on"
            )
        }
    }

    func execute() throws(Failure) {
        if let scheme {
            try provision(scheme)
        } else if let port, let ownerKey, let operatorFile {
            let ownerKey = try Keys.publicHalf(ownerKey)
            let operatorKey = try Keys.publicHalf(operatorFile)
            let archive = try archive.open(for: consent)
            let client = try BoardPorts.open(port, baud: baud)
            try KeyExchange(client: client, archive: archive, vouches: true, consent: consent)
                .give(ownerKey: ownerKey, operatorKey: operatorKey)
        }
    }

    private func provision(_ scheme: SchemeID) throws(Failure) {
        let key = try KeyOptions.key(operatorFile)
        let (record, newSecret) = try secrets.record()
        if record == nil {
            Console.report("\(scheme.name): needs no keys because its identities are random")
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
            var recipient: TrustedBoard?
            if record != nil {
                recipient = try TrustedBoard(
                    client, knownTo: archive.open(.create), trust: trust.policy,
                    withoutKey: "its keys would travel in clear; use --output, and put the file on the board")
            }
            // The secret must be stored here before the board gets anything that follows from it, so that it
            // cannot be lost.
            try newSecret?.keep()
            do throws(Failure) {
                try provisioning.give(record, to: recipient, isSwitchedOn: !keepConfiguration)
            } catch {
                guard let newSecret else { throw error }
                throw Failure(
                    error.code, "\(error.message); \(newSecret.path) was created: omit --new next time")
            }
        }
    }
}

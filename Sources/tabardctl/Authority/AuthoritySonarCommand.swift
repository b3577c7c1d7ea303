import Archive
import ArgumentParser
import Authority
import Cryptography
import FixedMemory
import Foundation
import KeyFiles
import Schemes

struct AuthoritySonarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonar", abstract: "Register devices, and resolve whom they have read.",
        subcommands: [New.self, Register.self, Find.self, AuthoritySonarResolveCommand.self])

    struct New: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Make the authority's pair of keys.",
            discussion: """
                Writes sonar.pem, which is secret and resolves every contact, and sonar.pub.pem; overwrites nothing.

                Examples:
                  tabardctl authority sonar new --directory authority
                """)

        @OptionGroup var pairs: NewKeyPairs

        func execute() throws(Failure) { try pairs.make("sonar") }
    }

    struct Register: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "register", abstract: "Register a device: a number, a secret, and a reference code.",
            discussion: """
                What the device gets, 127 bytes, goes to a file of its own: onto a board as the file of its keys with .sonar \
                behind the name. The code, which is said to a call centre, has a check that is ours: the original's was never \
                published.

                Examples:
                  tabardctl authority sonar register --key sonar.pub.pem --register register.json --output board.keys.sonar
                """)

        @Option(help: ArgumentHelp("The authority's key; its public half is enough.", valueName: "file"))
        var key: String

        @Option(help: ArgumentHelp("The register, which is made if it is not there.", valueName: "file"))
        var register: String

        @Option(name: .shortAndLong, help: ArgumentHelp("For the device.", valueName: "file"))
        var output: String

        @Option(help: ArgumentHelp("ISO 3166-1 numeric.", valueName: "number"))
        var country = Sonar.unitedKingdom

        @Option(help: ArgumentHelp("When (by default now).", valueName: "time"))
        var at: String?

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            let authorityKey = try Keys.publicHalf(key)
            guard !FileManager.default.fileExists(atPath: output) else {
                throw Failure(DurableFileError.exists(output))
            }
            let lock = try Documents.lock(register)
            defer { withExtendedLifetime(lock) {} }
            var kept = try SonarRegister(path: register, mayBeAbsent: true)
            var generator = SystemRandomNumberGenerator()
            let installation = kept.register(at: now, using: &generator)
            let record = SonarRegistrationRecord.encode(
                SonarRegistration(
                    installation: installation.identifier, secret: installation.secret,
                    authorityKey: authorityKey, country: country))
            // The register first: what a device has, its authority knows.
            try Documents.replace(register, kept.json, isPrivate: true)
            try Documents.create(output, [UInt8](copying: record.span))
            Console.print(
                "installation \(installation.identifierText), reference code \(installation.referenceCode.text): \(output) (secret)"
            )
        }
    }

    struct Find: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "Say which installation a reference code is of.",
            discussion: """
                Capital letters and hyphens do not matter, nor o for 0, nor i and l for 1.

                Exit code 0: found; 65: it was mistyped; 66: nobody has it.

                Examples:
                  tabardctl authority sonar find b2k5-9wqz --register register.json
                """)

        @Argument(help: "The reference code.")
        var code: String

        @Option(help: ArgumentHelp("The register.", valueName: "file"))
        var register: String

        func execute() throws(Failure) {
            let kept = try SonarRegister(path: register)
            guard let meant = SonarReferenceCode(code) else {
                throw Failure(.data, "\(code): no reference code, or mistyped; ask for it again")
            }
            guard let installation = kept[meant] else {
                throw Failure(.noInput, "\(meant.text): no installation has this code")
            }
            Console.print(installation.identifierText)
        }
    }
}

extension SonarRegister: RegisterFile {
    static let schemeName = "Sonar"
}

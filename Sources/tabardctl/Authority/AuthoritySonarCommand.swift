import Archive
import ArgumentParser
import Authority
import CommandLineText
import Cryptography
import FixedMemory
import Foundation
import KeyFiles
import Schemes
import TextFormats

struct AuthoritySonarCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sonar", abstract: "Register devices, and resolve their contacts.",
        subcommands: [New.self, Register.self, Find.self, AuthoritySonarResolveCommand.self])

    struct New: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Create the authority's key pair.",
            discussion: """
                Examples:
                  tabardctl authority sonar new --directory authority

                The command writes sonar.pem, which is secret and resolves every contact, and \
                sonar.pub.pem. It overwrites nothing.
                """)

        @OptionGroup var pairs: NewKeyPairs

        func execute() throws(Failure) { try pairs.make("sonar") }
    }

    struct Register: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "register", abstract: "Register a device and write its registration.",
            usage: """
                tabardctl authority sonar register --key <file> --register <file>
                  --output <file> [<options>]
                """,
            discussion: """
                Examples:
                  tabardctl authority sonar register --key sonar.pub.pem \\
                      --register register.json --output board.keys.sonar

                The command assigns an installation number, a secret and a reference code. It writes \
                the registration of 127 bytes for the device. A board keeps it beside its key file, \
                with .sonar appended to that name.

                The reference code identifies the installation to a call centre. Its check digit is \
                Tabard's own because the original was never published.
                """)

        @Option(
            help: ArgumentHelp("Authority key (PEM); the public half is enough.", valueName: "file"),
            completion: ValueCompletion.key)
        var key: String

        @Option(
            help: ArgumentHelp("Register file, created if needed.", valueName: "file"), completion: .file())
        var register: String

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Output file with the registration for the device.", valueName: "file"),
            completion: .file())
        var output: String

        @Option(help: ArgumentHelp("ISO 3166-1 numeric country code, 1 to 999.", valueName: "number"))
        var country = Sonar.unitedKingdom

        @Option(help: ArgumentHelp("Time of the command; default: now.", valueName: "time"))
        var at: String?

        func validate() throws {
            guard SonarRegister.countries.contains(country) else {
                throw ValidationError("--country must be from 1 to 999: ISO 3166-1 numeric, 826 for GB")
            }
        }

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            let authorityKey = try Keys.publicHalf(key, from: .sonarAuthority)
            let lock = try Documents.lock(register)
            defer { withExtendedLifetime(lock) {} }
            var kept = try SonarRegister(path: register, mayBeAbsent: true)
            var generator = SystemRandomNumberGenerator()
            let installation = kept.register(at: now, using: &generator)
            let record = SonarRegistrationRecord.encode(
                SonarRegistration(
                    installation: installation.identifier, secret: installation.secret,
                    authorityKey: authorityKey, country: country))
            // The device's file and the register change together: the file is staged, and discarded if the
            // register fails.
            let file = try Documents.stage(output, [UInt8](copying: record.span))
            do throws(Failure) { try Documents.replace(register, kept.json, isPrivate: true) } catch {
                file.discard()
                throw error
            }
            try Documents.place(file)
            Console.print(
                "installation \(installation.identifierText), reference code \(installation.referenceCode.text): \(output) (secret)"
            )
        }
    }

    struct Find: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "find", abstract: "Find the installation of a reference code.",
            usage: "tabardctl authority sonar find <code> --register <file> [<options>]",
            discussion: """
                Examples:
                  tabardctl authority sonar find b2k5-9wqz --register register.json
                  tabardctl authority sonar find b2k5-9wqz --register register.json --redeem

                The command ignores case and hyphens, and reads o as 0, and i and l as 1. A code is \
                valid once, for two weeks from the registration. --redeem marks it as used in the \
                register. Without it, the command prints the installation, and warns on standard \
                error if the code is invalid.

                Exit codes: 0 found; 65 mistyped, or with --redeem used or expired; 66 unknown code.
                """)

        @Argument(help: "Reference code, such as b2k5-9wqz.")
        var code: String

        @Option(help: ArgumentHelp("Register file.", valueName: "file"), completion: .file())
        var register: String

        @Flag(help: "Redeem the code, so that it becomes invalid.")
        var redeem = false

        @Option(help: ArgumentHelp("Time of the command; default: now.", valueName: "time"))
        var at: String?

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            guard let meant = SonarReferenceCode(code) else {
                throw Failure(.data, "\(code): not a reference code, or mistyped; ask for it again")
            }
            let installation = try redeem ? taken(meant, at: now) : found(meant, at: now)
            Console.print(installation.identifierText)
        }

        private func found(_ code: SonarReferenceCode, at now: UInt64) throws(Failure) -> SonarInstallation {
            guard let installation = try SonarRegister(path: register)[code] else {
                throw Failure(SonarCodeRefusal.unknown, code)
            }
            if let refusal = installation.codeRefusal(at: now) {
                Console.report(Failure(refusal, code).message)
            }
            return installation
        }

        private func taken(_ code: SonarReferenceCode, at now: UInt64) throws(Failure) -> SonarInstallation {
            let lock = try Documents.lock(register)
            defer { withExtendedLifetime(lock) {} }
            var kept = try SonarRegister(path: register)
            let installation: SonarInstallation
            do throws(SonarCodeRefusal) { installation = try kept.redeem(code, at: now) } catch {
                throw Failure(error, code)
            }
            try Documents.replace(register, kept.json, isPrivate: true)
            return installation
        }
    }
}

extension SonarRegister: RegisterFile {
    static let schemeName = "Sonar"
}

extension Failure {
    fileprivate init(_ refusal: SonarCodeRefusal, _ code: SonarReferenceCode) {
        switch refusal {
        case .unknown: self.init(.noInput, "\(code.text): no installation has this code; ask for it again")
        case .redeemed(let time):
            self.init(
                .data,
                "\(code.text): already redeemed on \(UTCTime.text(time)); register again for a new code"
            )
        case .expired(let time):
            self.init(
                .data,
                "\(code.text): expired on \(UTCTime.text(time)); register again for a new code")
        }
    }
}

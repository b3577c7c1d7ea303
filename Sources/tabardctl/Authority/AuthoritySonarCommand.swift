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

        @Option(help: ArgumentHelp("ISO 3166-1 numeric, 1 to 999.", valueName: "number"))
        var country = Sonar.unitedKingdom

        @Option(help: ArgumentHelp("When (by default now).", valueName: "time"))
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
            // What a device has, its authority knows; and what it knows, some device has.
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
            commandName: "find", abstract: "Say which installation a reference code is of.",
            discussion: """
                Capital letters and hyphens do not matter, nor o for 0, nor i and l for 1. A code is good once, for two weeks \
                from the registration on; --redeem takes it, and the register keeps that it was. Without it, whose the code is is \
                only looked up, and standard error says if it is good for nothing any more.

                Exit code 0: found; 65: it was mistyped, or with --redeem used before or too old; 66: nobody has it.

                Examples:
                  tabardctl authority sonar find b2k5-9wqz --register register.json
                  tabardctl authority sonar find b2k5-9wqz --register register.json --redeem
                """)

        @Argument(help: "The reference code.")
        var code: String

        @Option(help: ArgumentHelp("The register.", valueName: "file"))
        var register: String

        @Flag(help: "Take the code: from then on it is good for nothing.")
        var redeem = false

        @Option(help: ArgumentHelp("When (by default now).", valueName: "time"))
        var at: String?

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            guard let meant = SonarReferenceCode(code) else {
                throw Failure(.data, "\(code): no reference code, or mistyped; ask for it again")
            }
            let installation = try redeem ? taken(meant, at: now) : found(meant, at: now)
            Console.print(installation.identifierText)
        }

        private func found(_ code: SonarReferenceCode, at now: UInt64) throws(Failure) -> SonarInstallation {
            guard let installation = try SonarRegister(path: register)[code] else {
                throw Failure(SonarCodeRefusal.unknown, code)
            }
            if let refusal = installation.codeRefusal(at: now) {
                Console.note(Failure(refusal, code).message)
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
                "\(code.text): was used on \(UTCTime.text(time)), and is good once; a new registration has a new code"
            )
        case .expired(let time):
            self.init(
                .data,
                "\(code.text): was good until \(UTCTime.text(time)); a new registration has a new code")
        }
    }
}

import ArgumentParser
import Authority
import CommandLineText
import Cryptography
import Exposure
import FixedMemory

struct AuthorityExposureNotificationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposure-notification",
        abstract: "Accept reports of keys, and publish signed exports.",
        subcommands: [New.self, Accept.self, Export.self])

    enum ReportType: String, CaseIterable, ExpressibleByArgument {
        case confirmedTest = "confirmed-test"
        case clinical
        case selfReport = "self-report"

        /// The report type's number in export files.
        var number: Int32 {
            switch self {
            case .confirmedTest: 1
            case .clinical: 2
            case .selfReport: 3
            }
        }
    }

    struct New: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Create the key pair that signs exports.",
            discussion: """
                Examples:
                  tabardctl authority exposure-notification new --directory authority

                The command writes exposure-notification.pem, which is secret, and \
                exposure-notification.pub.pem. It overwrites nothing.
                """)

        @OptionGroup var pairs: NewKeyPairs

        func execute() throws(Failure) { try pairs.make("exposure-notification") }
    }

    struct Accept: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept", abstract: "Add a report to the register, or reject it.",
            usage: """
                tabardctl authority exposure-notification accept <report>
                  --register <file> [<options>]
                """,
            discussion: """
                Examples:
                  tabardctl authority exposure-notification accept report.http \\
                      --register register.json

                A report is the output of `tabardctl submit exposure-notification` with 1 to 30 new \
                keys. The command rejects a key whose day has not begun, and a key that expired more \
                than 14 days ago. It requires no certificate of a test.

                Exit codes: 0 accepted; 65 rejected.
                """)

        @Argument(help: ArgumentHelp("Request file of the report.", valueName: "report"), completion: .file())
        var report: String

        @Option(
            help: ArgumentHelp("Register file, created if needed.", valueName: "file"), completion: .file())
        var register: String

        @Option(help: "Kind of diagnosis: confirmed-test, clinical or self-report.")
        var reportType = ReportType.confirmedTest

        @Option(help: ArgumentHelp("Time of arrival; default: now.", valueName: "time"))
        var at: String?

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            guard let read = ExposureReport(try Documents.request(report)) else {
                throw Failure(
                    .data, "\(report): not an Exposure Notification report; write one with `tabardctl submit`"
                )
            }
            for refusal in read.refusals {
                Console.report("\(report): key \(refusal.place) was skipped: \(refusal.defect)")
            }
            let lock = try Documents.lock(register)
            defer { withExtendedLifetime(lock) {} }
            var kept = try ExposureRegister(path: register, mayBeAbsent: true)
            do throws(ExposureReportRefusal) {
                try kept.accept(read, reportType: reportType.number, at: now)
            } catch {
                throw Failure(.data, "\(report): rejected: \(error.reason)")
            }
            try Documents.replace(register, kept.json, isPrivate: true)
            Console.print(
                "\(report): accepted, \(Count.text(read.keys.count, "key")); \(kept.waiting) for publication")
        }
    }

    struct Export: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Publish waiting keys in a signed export file.",
            usage: """
                tabardctl authority exposure-notification export --register <file>
                  --key <file> --output <file> [<options>]
                """,
            discussion: """
                Examples:
                  tabardctl authority exposure-notification export --register register.json \\
                      --key exposure-notification.pem --output 2026-11-22.zip
                  tabardctl authority exposure-notification export --register register.json \\
                      --key exposure-notification.pem --batch 3 --output 2026-11-20.zip

                The export has the keys that were reported before the last full hour and expired at \
                least two hours ago. Phones still accept a replayed identifier of a younger key.

                The command adds random keys up to --minimum-keys, sorted among the real ones. The \
                register keeps each batch, so --batch writes the same bytes again.

                Exit codes: 0 done; 66 nothing to publish, or no such batch.
                """)

        @Option(help: ArgumentHelp("Register file.", valueName: "file"), completion: .file())
        var register: String

        @Option(
            help: ArgumentHelp("Private key that signs the export (PEM).", valueName: "file"),
            completion: ValueCompletion.key)
        var key: String

        @Option(
            name: .shortAndLong, help: ArgumentHelp("Output zip file.", valueName: "file"),
            completion: .file())
        var output: String

        @Option(
            help: ArgumentHelp(
                "Write this earlier batch again, from 1, and publish nothing new.", valueName: "number"))
        var batch: Int?

        @Option(help: ArgumentHelp("Region code in the export.", valueName: "text"))
        var region = "GB"

        @Option(help: ArgumentHelp("Minimum number of keys, 0 to 100000.", valueName: "number"))
        var minimumKeys = ExposureKeyExport.minimumKeyCount

        @Option(help: ArgumentHelp("Time of publication; default: now.", valueName: "time"))
        var at: String?

        func validate() throws {
            guard (0...100_000).contains(minimumKeys) else {
                throw ValidationError("--minimum-keys must be from 0 to 100000")
            }
        }

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            let scalar = try Keys.privateScalar(key, from: .exposureNotificationAuthority)
            let lock = try Documents.lock(register)
            defer { withExtendedLifetime(lock) {} }
            var kept = try ExposureRegister(path: register)
            if batch == nil {
                var generator = SystemRandomNumberGenerator()
                let info = ExportSignatureInfo(keyVersion: "v1", keyIdentifier: region)
                guard
                    kept.publish(
                        at: now, region: region, signatureInfo: info, minimumKeyCount: minimumKeys,
                        using: &generator)
                else {
                    throw Failure(
                        .noInput, "nothing to publish: \(kept.waiting); try again later")
                }
                // The register comes first, because its batches can be written again. A batch made a second
                // time would be another file.
                try Documents.replace(register, kept.json, isPrivate: true)
            }
            let number = batch ?? kept.batches.count
            guard kept.batches.indices.contains(number - 1) else {
                throw Failure(
                    .noInput, "--batch \(number): no such batch; \(kept.batches.count) were published")
            }
            let zip: [UInt8]
            do { zip = try Self.zip(kept.batches[number - 1], scalar) } catch {
                throw Failure(
                    .unavailable, "cannot sign the export; run the command again with --batch \(number)")
            }
            try Documents.replace(output, zip, isPrivate: false)
            Console.report("batch \(number); \(kept.waiting)")
        }

        private static func zip(_ file: [UInt8], _ scalar: Bytes<32>) throws -> [UInt8] {
            var signer = try P256PrivateKey(scalar: scalar, entropy: .system)
            let export = try ExposureKeyExport(file: file)
            return try ExportPackage(signing: export, paddedTo: 0, with: &signer, entropy: .system).zip
        }
    }
}

extension ExposureRegister: RegisterFile {
    static let schemeName = "Exposure Notification"

    /// "1 key waits".
    fileprivate var waiting: String { Count.text(waitingCount, "key waits", "keys wait") }
}

extension ExposureReportRefusal {
    fileprivate var reason: String {
        switch self {
        case .keyCount: "not 1 to \(ExposureReport.maximumKeyCount) keys"
        case .notBegun: "the day of one key has not begun"
        case .tooOld: "one key expired more than 14 days ago"
        case .alreadyKnown: "one key was reported before"
        }
    }
}

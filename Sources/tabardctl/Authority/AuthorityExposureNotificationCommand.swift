import ArgumentParser
import Authority
import CommandLineText
import Cryptography
import Exposure
import FixedMemory

struct AuthorityExposureNotificationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exposure-notification",
        abstract: "Take reports of keys, and publish them in signed files.",
        subcommands: [New.self, Accept.self, Export.self])

    enum ReportType: String, CaseIterable, ExpressibleByArgument {
        case confirmedTest = "confirmed-test"
        case clinical
        case selfReport = "self-report"

        /// As in export files.
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
            commandName: "new", abstract: "Make the pair of keys that signs files.",
            discussion: """
                Writes exposure-notification.pem, which is secret, and exposure-notification.pub.pem; overwrites nothing.

                Examples:
                  tabardctl authority exposure-notification new --directory authority
                """)

        @OptionGroup var pairs: NewKeyPairs

        func execute() throws(Failure) { try pairs.make("exposure-notification") }
    }

    struct Accept: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept", abstract: "Take a report into the register, or say why not.",
            discussion: """
                A report is the request that `tabardctl submit exposure-notification` has written: 1 to 30 keys, none known, none \
                of a day that has not begun, none that was over more than 14 days ago. Nobody is asked to vouch for it.

                Exit code 0: taken; 65: refused.

                Examples:
                  tabardctl authority exposure-notification accept report.http --register register.json
                """)

        @Argument(help: ArgumentHelp("The request.", valueName: "report"))
        var report: String

        @Option(help: ArgumentHelp("The register, which is made if it is not there.", valueName: "file"))
        var register: String

        @Option(help: "How the illness was found: confirmed-test, clinical or self-report.")
        var reportType = ReportType.confirmedTest

        @Option(help: ArgumentHelp("When it came (by default now).", valueName: "time"))
        var at: String?

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            guard let read = ExposureReport(try Documents.request(report)) else {
                throw Failure(.data, "\(report): no report of Exposure Notification's")
            }
            let lock = try Documents.lock(register)
            defer { withExtendedLifetime(lock) {} }
            var kept = try ExposureRegister(path: register, mayBeAbsent: true)
            do throws(ExposureReportRefusal) {
                try kept.accept(read, reportType: reportType.number, at: now)
            } catch {
                throw Failure(.data, "\(report): refused, \(error.reason)")
            }
            try Documents.replace(register, kept.json, isPrivate: true)
            Console.print(
                "\(report): taken, \(read.keys.count) keys; \(kept.waitingCount) wait for publication")
        }
    }

    struct Export: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Publish what waits, in a signed file.",
            discussion: """
                In it are keys that were reported before the last full hour, and that have been over for two hours: before that, \
                whoever repeats an identifier of theirs is believed. Made-up keys fill it up to 1,000, sorted among the true ones. \
                The register keeps what was published: --batch writes a file again, the same bytes.

                Exit code 0: done; 66: there is nothing to publish, or no such batch.

                Examples:
                  tabardctl authority exposure-notification export --register register.json --key exposure-notification.pem \
                --output 2026-11-22.zip
                  tabardctl authority exposure-notification export --register register.json --key exposure-notification.pem \
                --batch 3 --output 2026-11-20.zip
                """)

        @Option(help: ArgumentHelp("The register.", valueName: "file"))
        var register: String

        @Option(help: ArgumentHelp("The key that signs.", valueName: "file"))
        var key: String

        @Option(name: .shortAndLong, help: ArgumentHelp("The zip file.", valueName: "file"))
        var output: String

        @Option(
            help: ArgumentHelp(
                "Write what was published then, from 1, and publish nothing new.", valueName: "number"))
        var batch: Int?

        @Option(help: ArgumentHelp("What the file says it is of.", valueName: "text"))
        var region = "GB"

        @Option(help: ArgumentHelp("How many keys at least.", valueName: "number"))
        var minimumKeys = ExposureKeyExport.minimumKeyCount

        @Option(help: ArgumentHelp("As of then (by default now).", valueName: "time"))
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
                        .noInput, "nothing to publish: \(kept.waitingCount) keys wait until they are due")
                }
                // The register first: what it has can be written again, and made anew it would be another file.
                try Documents.replace(register, kept.json, isPrivate: true)
            }
            let number = batch ?? kept.batches.count
            guard kept.batches.indices.contains(number - 1) else {
                throw Failure(.noInput, "--batch \(number): \(kept.batches.count) were published")
            }
            let zip: [UInt8]
            do { zip = try Self.zip(kept.batches[number - 1], scalar) } catch {
                throw Failure(
                    .unavailable, "the file could not be signed; run it again with --batch \(number)")
            }
            try Documents.replace(output, zip, isPrivate: false)
            Console.note("batch \(number); \(kept.waitingCount) keys wait")
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
}

extension ExposureReportRefusal {
    fileprivate var reason: String {
        switch self {
        case .keyCount: "for it has not 1 to \(ExposureReport.maximumKeyCount) keys"
        case .notBegun: "for a key of it is of a day that has not begun"
        case .tooOld: "for a key of it was over more than 14 days ago"
        case .alreadyKnown: "for a key of it was reported before"
        }
    }
}

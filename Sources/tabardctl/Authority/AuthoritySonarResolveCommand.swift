import ArgumentParser
import Authority
import CommandLineText
import FixedMemory
import Foundation
import Matching
import Reports
import Schemes

struct AuthoritySonarResolveCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Resolve the contacts in an upload.",
        usage: """
            tabardctl authority sonar resolve <upload> --key <file> --register <file>
              [<options>]
            """,
        discussion: """
            Examples:
              tabardctl authority sonar resolve upload.http --key sonar.pem \\
                  --register register.json
              tabardctl authority sonar resolve upload.http --key sonar.pem \\
                  --register register.json --format json

            An upload is the request of `tabardctl submit sonar` or of a phone. The installation \
            that it names must have signed it. The output has the installation of each contact, or \
            the first check that failed (docs/schemes.md).

            Exit codes: 0 done, even if contacts were rejected; 65 the whole upload was rejected.
            """)

    @Argument(help: ArgumentHelp("Request file of the upload.", valueName: "upload"), completion: .file())
    var upload: String

    @Option(
        help: ArgumentHelp("Private key of the authority (PEM).", valueName: "file"),
        completion: ValueCompletion.key)
    var key: String

    @Option(help: ArgumentHelp("Register file.", valueName: "file"), completion: .file())
    var register: String

    @OptionGroup var output: CSVOutputOptions

    func execute() throws(Failure) {
        let kept = try SonarRegister(path: register)
        let scalar = try Keys.privateScalar(key, from: .sonarAuthority)
        let request = try Documents.request(upload)
        let read: SonarUpload
        do throws(SonarRequestRefusal) { read = try SonarUpload(request, from: kept) } catch {
            throw Failure(.data, "\(upload): rejected: \(error.reason)")
        }
        let contacts: [SonarContact]
        do throws(MatchingError) {
            var resolver = try SonarBulkResolver(scalar: scalar)
            contacts = SonarContact.resolve(read, in: kept, by: &resolver)
        } catch {
            throw Failure(.unavailable, "not enough memory for the key; try again")
        }
        let document = SonarContactsDocument(read, contacts)
        let listing = output.listing()
        try listing.write(document) { () throws(Failure) in try print(document, contacts, listing) }
    }

    private func print(
        _ document: SonarContactsDocument, _ contacts: [SonarContact], _ listing: Listing
    ) throws(Failure) {
        let time = TimeText()
        var table = TextTable([
            .init(title: "CONTACT"), .init(title: "DURATION", isNumber: true, narrowing: .dropped(rank: 4)),
            .init(title: "WHO"), .init(title: "CODE", narrowing: .dropped(rank: 3)),
            .init(title: "READINGS", isNumber: true, narrowing: .dropped(rank: 1)),
            .init(title: "STRONGEST", isNumber: true, narrowing: .dropped(rank: 2)),
            .init(title: "REJECTED", narrowing: .wrapped(minimum: 12)),
        ])
        for (row, contact) in zip(document.contacts, contacts) {
            table.append([
                contact.event.map { time.dateAndTime(WallClockTime(seconds: UInt64($0.startSeconds))) }
                    ?? "-",
                row.durationSeconds.map { TimeText.duration(Interval(clamping: Int64($0) * 1_000)) } ?? "-",
                row.installation ?? "-",
                row.referenceCode ?? "-", "\(row.readings)", row.rssiMaximum.map { "\($0)" } ?? "-",
                row.refusal ?? "",
            ])
        }
        if !contacts.isEmpty { listing.print(table) }
        try listing.finish()
        let refused = contacts.count { $0.refusal != nil }
        Console.note(
            "uploaded by \(document.installation); \(Count.text(contacts.count, "contact")), \(refused) rejected; "
                + "times are \(time.zoneName); strength in dBm"
        )
    }
}

extension SonarRequestRefusal {
    fileprivate var reason: String {
        switch self {
        case .otherRequest: "not a Sonar upload (expected the request of `tabardctl submit sonar`)"
        case .noTime: "no time in its field Sonar-Request-Timestamp"
        case .malformed(let field): "invalid field \(field)"
        case .unknownInstallation: "its installation is not in the register"
        case .notSigned: "not signed by the installation that it names"
        }
    }
}

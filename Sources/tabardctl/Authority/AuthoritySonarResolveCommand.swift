import ArgumentParser
import Authority
import CommandLineText
import Foundation
import Matching
import Reports
import Schemes

struct AuthoritySonarResolveCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve", abstract: "Say whom somebody has read who uploads it.",
        discussion: """
            An upload is the request that `tabardctl submit sonar` has written, or a phone's; it must be signed by the \
            installation that it names. Of each contact: whose it was, or the first check that fails (docs/schemes.md).

            Exit code 0: done, whether contacts were refused or not; 65: the upload is refused as a whole.

            Examples:
              tabardctl authority sonar resolve upload.http --key sonar.pem --register register.json
              tabardctl authority sonar resolve upload.http --key sonar.pem --register register.json --format json
            """)

    @Argument(help: ArgumentHelp("The request.", valueName: "upload"))
    var upload: String

    @Option(help: ArgumentHelp("The authority's private key.", valueName: "file"))
    var key: String

    @Option(help: ArgumentHelp("The register.", valueName: "file"))
    var register: String

    @Option(help: "text, json or csv.")
    var format = MatchOptions.Format.text

    func execute() throws(Failure) {
        let kept = try SonarRegister(path: register)
        let scalar = try Keys.privateScalar(key, from: .sonarAuthority)
        let request = try Documents.request(upload)
        let read: SonarUpload
        do throws(SonarRequestRefusal) { read = try SonarUpload(request, from: kept) } catch {
            throw Failure(.data, "\(upload): refused, \(error.reason)")
        }
        let contacts: [SonarContact]
        do throws(MatchingError) {
            var resolver = try SonarBulkResolver(scalar: scalar)
            contacts = SonarContact.resolve(read, in: kept, by: &resolver)
        } catch {
            throw Failure(.unavailable, "no memory is left for the key; try again")
        }
        let document = SonarContactsDocument(read, contacts)
        try format.print(document) { () throws(Failure) in print(document, contacts) }
    }

    private func print(_ document: SonarContactsDocument, _ contacts: [SonarContact]) {
        let time = TimeText()
        var table = TextTable([
            .init(title: "CONTACT"), .init(title: "DURATION", isNumber: true), .init(title: "WHO"),
            .init(title: "CODE"), .init(title: "READINGS", isNumber: true),
            .init(title: "STRONGEST", isNumber: true), .init(title: "REFUSED FOR"),
        ])
        for (row, contact) in zip(document.contacts, contacts) {
            table.append([
                time.dateAndTime(Int64(contact.event.startSeconds) * 1000),
                TimeText.duration(Int64(row.durationSeconds) * 1000), row.installation ?? "-",
                row.referenceCode ?? "-", "\(row.readings)", row.rssiMaximum.map { "\($0)" } ?? "-",
                row.refusal ?? "",
            ])
        }
        if !contacts.isEmpty { Console.print(table.text()) }
        let refused = contacts.count { $0.refusal != nil }
        Console.note(
            "uploaded by \(document.installation); \(contacts.count) contacts, \(refused) refused; strength in dBm"
        )
    }
}

extension SonarRequestRefusal {
    fileprivate var reason: String {
        switch self {
        case .otherRequest: "for it is no upload of Sonar's"
        case .noTime: "for it has no time in its field Sonar-Request-Timestamp"
        case .malformed(let field): "for this is wrong in it: \(field)"
        case .unknownInstallation: "for its installation is not in the register"
        case .notSigned: "for it is not signed by the installation that it names"
        }
    }
}

import Archive
import ArgumentParser
import CommandLineText
import Exports
import Foundation

struct ExportSocioPatternsCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "sociopatterns", abstract: "Export contacts as SocioPatterns lines: t i j.",
        usage: "tabardctl export sociopatterns --output <file> [<options>]",
        discussion: """
            Examples:
              tabardctl export sociopatterns --output tij.dat
              tabardctl export sociopatterns --output tij.dat --groups --people people.tsv
              tabardctl export sociopatterns --output - --plain | head

            Each line is "t i j", separated by tabs: participants i and j were in contact in the window \
            from t - 20 s to t. t counts seconds since 1970 UTC. --people writes the file that says who \
            i and j are: "i C sex id", as SocioPatterns publishes metadata, and the id.
            """)

    @Option(help: ArgumentHelp("Length of a window in seconds, 1 to 86400.", valueName: "seconds"))
    var window = ProximityLinesFile.usualWindowSeconds

    @Flag(help: "Add the groups of both participants: t i j Ci Cj; NA without a group.")
    var groups = false

    @Flag(help: "Leave out the comment lines with the columns and the parameters.")
    var plain = false

    @Option(
        help: ArgumentHelp("Also write the participants to this file.", valueName: "file"),
        completion: .file())
    var people: String?

    @OptionGroup var file: ExportFileOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func validate() throws {
        guard (1...86_400).contains(window) else {
            throw ValidationError("--window \(window): write 1 to 86400 seconds")
        }
        if let people,
            people == file.output
                || URL(filePath: people).standardizedFileURL == URL(filePath: file.output).standardizedFileURL
        {
            throw ValidationError("--people and --output are one file; name two")
        }
    }

    func execute() throws(Failure) {
        for path in [file.output, people].compactMap(\.self) {
            try OutputFile.requireAbsence(of: path, force: file.force)
        }
        let network = try export.network(of: try archive.open(.reading))
        let provenance = try ExportOptions.provenance(network, format: ["windowSeconds": "\(window)"])
        try file.write(network) {
            try ProximityLinesFile(
                provenance, windowSeconds: window, hasGroups: groups, hasComments: !plain
            ).write(network, to: $0)
        }
        if let people {
            try ExportFileOptions.write(to: people, force: file.force) {
                try ProximityPeopleFile(provenance, hasComments: !plain).write(network, to: $0)
            }
        }
        if groups || people != nil { ExportText.reportMissing(network) }
    }
}

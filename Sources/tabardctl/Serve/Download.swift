import ArgumentParser
import CommandLineText
import Dashboard
import Foundation

/// A file of the page of downloads. A command writes it, so that it has the same bytes.
struct Download: Sendable {
    let name: String
    let mediaType: String
    let meaning: String
    /// The words that make the same file.
    let command: String
    private let make: @Sendable ([String], EvidenceOptions) throws(Failure) -> any ReportingCommand
    private let options: [String]

    private init<Command: DownloadCommand>(
        _ name: String, _ mediaType: String, _ meaning: String, _ command: String, _ type: Command.Type,
        words: [String] = [], takesDuration: Bool = true
    ) {
        self.name = name
        self.mediaType = mediaType
        self.meaning = meaning
        self.command = command
        options = ["since", "until", "board"] + (takesDuration ? ["minimum-duration"] : [])
        make = { (arguments, evidence) throws(Failure) in
            var command = try ServedOptions.parse(type, words + arguments)
            command.archive = evidence
            return command
        }
    }

    var path: String { "/download/\(name)" }

    static func named(_ path: String) -> Download? { all.first { $0.path == path } }

    static let all = [
        Download(
            "report.html", "text/html; charset=utf-8", "the report, one page with figures", "report",
            ReportCommand.self),
        Download(
            "encounters.csv", csv, "encounters", "encounters --csv", EncountersCommand.self, words: ["--csv"]),
        Download(
            "encounters.json", "application/json", "encounters", "encounters --json", EncountersCommand.self,
            words: ["--json"]),
        Download(
            "contacts.csv", csv, "contacts between boards", "contacts --csv", ContactsCommand.self,
            words: ["--csv"]),
        Download(
            "presence.csv", csv, "how many were near, by hour", "presence --csv", PresenceCommand.self,
            words: ["--csv"], takesDuration: false),
        Download(
            "coverage.csv", csv, "when boards listened", "coverage --csv", CoverageCommand.self,
            words: ["--csv"], takesDuration: false),
        Download(
            "tables.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            "a workbook with contacts, presence, coverage and participants", "export xlsx",
            ExportWorkbookCommand.self),
        Download(
            "tables.jsonl", "application/jsonl", "the same tables as JSON Lines", "export jsonl",
            ExportJSONLinesCommand.self),
        Download(
            "contacts.parquet", "application/vnd.apache.parquet", "contacts for analysis", "export parquet",
            ExportParquetCommand.self),
        Download(
            "contacts.dat", "text/tab-separated-values; charset=utf-8",
            "contacts as SocioPatterns has them, t i j",
            "export sociopatterns", ExportSocioPatternsCommand.self),
        Download(
            "network.gexf", "application/xml", "the network for Gephi", "export gexf", ExportGEXFCommand.self),
        Download(
            "network.graphml", "application/xml", "the network for igraph and others", "export graphml",
            ExportGraphMLCommand.self),
    ]

    private static let csv = "text/csv; charset=utf-8"

    /// Writes a file that has no name any more when it is returned.
    func write(_ fields: FieldList, _ evidence: EvidenceOptions) throws(Failure) -> OpenedFile {
        var template = Array((NSTemporaryDirectory() + "/tabard-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Failure(
                .cannotCreate, "cannot make a temporary folder: \(String(cString: strerror(errno)))")
        }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = "\(folder)/\(name)"
        let arguments = ServedOptions.arguments(fields, options) + ["--output=\(file)"]
        try make(arguments, evidence).execute()
        guard let opened = OpenedFile(file) else {
            throw Failure(.inputOutput, "\(file): cannot be read: \(String(cString: strerror(errno)))")
        }
        return opened
    }
}

/// A command that writes a file about the archive.
protocol DownloadCommand: ReportingCommand {
    var archive: EvidenceOptions { get set }
}

extension ReportCommand: DownloadCommand {}
extension EncountersCommand: DownloadCommand {}
extension ContactsCommand: DownloadCommand {}
extension PresenceCommand: DownloadCommand {}
extension CoverageCommand: DownloadCommand {}
extension ExportWorkbookCommand: DownloadCommand {}
extension ExportJSONLinesCommand: DownloadCommand {}
extension ExportParquetCommand: DownloadCommand {}
extension ExportSocioPatternsCommand: DownloadCommand {}
extension ExportGEXFCommand: DownloadCommand {}
extension ExportGraphMLCommand: DownloadCommand {}

import ArgumentParser

/// Exports in the formats of other programs.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export contacts and logs in the formats of other programs.",
        subcommands: [
            ExportCSVCommand.self, ExportJSONLinesCommand.self, ExportParquetCommand.self,
            ExportWorkbookCommand.self, ExportSocioPatternsCommand.self,
            ExportGEXFCommand.self, ExportGraphMLCommand.self, ExportEpicontactsCommand.self,
            ExportSocialmixrCommand.self, ExportHeraldCommand.self,
        ])
}

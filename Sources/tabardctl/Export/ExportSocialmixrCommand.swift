import Archive
import ArgumentParser
import CommandLineText
import Exports

struct ExportSocialmixrCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "socialmixr", abstract: "Export a contact survey for R's socialmixr.",
        usage: "tabardctl export socialmixr --output <folder> [<options>]",
        discussion: """
            Examples:
              tabardctl export socialmixr --output survey --names people.csv
              Rscript survey/read.R

            The folder gets tabard_participant_common.csv, tabard_contact_common.csv, tabard_sday.csv, \
            datapackage.json, and read.R, which loads them and computes a contact matrix. A participant \
            of the survey is one participant on one UTC day.
            """)

    @OptionGroup var folder: ExportFolderOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        try folder.folder.requireAbsence(of: SurveyTables.names, others: [RScripts.fileName])
        let network = try export.network(of: try archive.open(.reading))
        let survey = try archiving { () throws(ArchiveError) in try SurveyTables(network) }
        try folder.folder.write(
            survey.tables, of: network, ExportOptions.provenance(network),
            others: [(RScripts.fileName, RScripts.socialmixr)])
        let missing = try archiving { () throws(ArchiveError) in try survey.missingAgeCount(network) }
        if missing > 0 {
            Console.report(
                "the age of \(missing) of \(Count.text(survey.participantCount, "survey participant")) is NA; "
                    + "contact matrices by age leave them out")
        }
    }
}

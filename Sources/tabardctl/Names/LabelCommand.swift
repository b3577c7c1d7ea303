import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Reports

struct LabelCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "label", abstract: "Give boards and people names, groups, ages and sexes.",
        usage: """
            tabardctl label [<options>]
            tabardctl label <who> [--name <text>] [--group <text>] [--age <years>]
                [--sex <text>] [--model <text>]
            tabardctl label <who> --remove
            tabardctl label --names <file> [--dry-run]
            """,
        discussion: """
            Examples:
              tabardctl label Badge1 --name "Ada Byron" --group "ward 3" --age 36 --sex F
              tabardctl label 1003003a00000102 --name Visitor
              tabardctl label --names people.csv
              tabardctl label --json

            Without arguments the command lists the labels. Lists and exports show them in place of \
            digits. They stay in the archive on this computer; boards never see them.

            <who> is a board's name, or the first 8 or more digits of a log identity or of an \
            identity, as `tabardctl encounters --json` prints it. A person with several identities \
            needs the same name for each. --names reads many at once: CSV whose first line is \
            id,name,group,age,sex,model. All but id may be left out or empty.

            `tabardctl forget --identity` removes the label of the identity, too.
            """)

    @Argument(help: ArgumentHelp("Board or identity.", valueName: "who"), completion: ValueCompletion.board)
    var who: String?

    @Option(help: ArgumentHelp("Name.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("Group: a class, a ward, a household.", valueName: "text"))
    var group: String?

    @Option(help: ArgumentHelp("Age in years, 0 to 130.", valueName: "years"))
    var age: Int?

    @Option(help: ArgumentHelp("Sex, in your own letters.", valueName: "text"))
    var sex: String?

    @Option(
        help: ArgumentHelp(
            "Model of the device, as the walk tests of `calibrate` name it.", valueName: "text"))
    var model: String?

    @Flag(help: "Remove the label; a board keeps its name.")
    var remove = false

    @Option(help: ArgumentHelp("CSV file with many labels.", valueName: "file"), completion: .file())
    var names: String?

    @Flag(help: "With --names: say what would be stored, and store nothing.")
    var dryRun = false

    @OptionGroup var output: CSVOutputOptions
    @OptionGroup var archive: ArchiveOptions

    private var given: Label {
        Label(name: name, group: group, ageYears: age, sex: sex, model: model)
    }

    func validate() throws {
        guard names == nil || who == nil else {
            throw ValidationError("--names and <who> cannot both be given")
        }
        guard who != nil || given.isEmpty && !remove else {
            throw ValidationError("give the board or identity that the label is for")
        }
        guard who == nil || given.isEmpty == remove else {
            throw ValidationError("give --name, --group, --age, --sex or --model; or else --remove")
        }
        guard !dryRun || names != nil else { throw ValidationError("--dry-run needs --names") }
        guard given.isValid else {
            throw ValidationError(
                "a text must be one line of 1 to \(Label.longestText) characters without control characters, "
                    + "a model at most \(Label.longestModelBytes) bytes, and --age from 0 to 130")
        }
    }

    func execute() throws(Failure) {
        if let names { return try store(NamesFile(names)) }
        guard let who else { return try list() }
        // A refused command must leave the archive's bytes as they are, so it looks before it opens
        // the archive to write.
        try archive.requireSecret()
        let subject = try subject(who, in: try archive.open(.reading))
        let archive = try archive.open(.existing)
        let stored = try archiving { () throws(ArchiveError) in try archive.labels() }[subject]
        try archiving { () throws(ArchiveError) in
            try archive.store([subject: remove ? Label() : stored.merged(with: given)])
        }
        Console.print("\(who): \(remove ? "label removed" : LabelText.text(stored.merged(with: given)))")
    }

    private func store(_ file: NamesFile) throws(Failure) {
        let contents = try file.contents(in: try archive.open(.reading))
        let archive = try archive.open(dryRun ? .reading : .existing)
        file.reportUnknown(contents)
        let stored = try archiving { () throws(ArchiveError) in try archive.labels() }
        let labels = Dictionary(
            uniqueKeysWithValues: contents.labels.map { ($0, stored[$0].merged(with: $1)) })
        let changed = labels.count { $1 != stored[$0] }
        if !dryRun { try archiving { () throws(ArchiveError) in try archive.store(labels) } }
        Console.print(
            "\(file.path): \(Count.text(labels.count, "label")), \(changed) of them new or changed"
                + (dryRun ? "; nothing was stored" : ""))
    }

    private func subject(_ who: String, in archive: Archive) throws(Failure) -> LabelSubject {
        var search = try LabelSearch(archive)
        switch try search.subject(who) {
        case .found(let subject): return subject
        case .ambiguous(let names):
            throw Failure(
                .usage,
                "\(who): \(names.count) are meant; write one of \(names.prefix(4).joined(separator: ", "))")
        case .unknown:
            let hint =
                NearestText.nearest(to: who, among: search.boardLabels).map { "did you mean \($0)?" }
                ?? "the boards are \(search.boardLabels.joined(separator: ", ")); of an identity, write the first "
                + "\(LabelSearch.fewestDigits) digits"
            throw Failure(.noInput, "\(who): in no log; \(hint)")
        }
    }

    private func list() throws(Failure) {
        let listing = output.listing()
        let archive = try archive.open(.reading)
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        let labels = try archiving { () throws(ArchiveError) in try archive.labels() }
        let document = LabelsDocument(labels, boards: boards)
        try listing.write(document) { () throws(Failure) in
            guard !document.isEmpty else {
                return Console.report("no labels; `tabardctl label --help` says how to give them")
            }
            var table = TextTable([
                .init(title: "NAME", narrowing: .wrapped(minimum: 12)), .init(title: "GROUP"),
                .init(title: "AGE", isNumber: true), .init(title: "SEX"),
                .init(title: "MODEL", narrowing: .wrapped(minimum: 8)), .init(title: "KIND"),
                .init(title: "ID", narrowing: .wrapped(minimum: 8)),
            ])
            for row in document.labels {
                table.append([
                    row.name ?? "-", row.group ?? "-", row.ageYears.map { "\($0)" } ?? "-", row.sex ?? "-",
                    row.model ?? "-",
                    row.scheme ?? "board", row.id,
                ])
            }
            listing.print(table)
        }
    }
}

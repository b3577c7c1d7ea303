import ArgumentParser

/// The folder of an export of several files.
struct ExportFolderOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Output folder; it is made if absent.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Flag(help: "Overwrite existing files.")
    var force = false

    func validate() throws {
        guard output != "-" else {
            throw ValidationError("--output -: several files do not fit on standard output; name a folder")
        }
    }

    var folder: ExportFolder { ExportFolder(path: output, force: force) }
}

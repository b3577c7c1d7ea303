import ArgumentParser
import CommandLineText

/// The format of a list, and where it goes.
struct OutputOptions: ParsableArguments {
    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table, json, csv

        /// `text` is an earlier name of `table`.
        init?(argument: String) {
            self.init(rawValue: argument == "text" ? "table" : argument)
        }
    }

    @Flag(help: "Print JSON; the same as --format json.")
    var json = false

    @Option(help: "Output format; csv only where the list has --csv.")
    var format: Format?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Output file; - is standard output.", valueName: "file"),
        completion: .file())
    var output = "-"

    var isGiven: Bool { json || format != nil || output != "-" }

    func validate() throws {
        if json, let format, format != .json {
            throw ValidationError("--json and --format \(format.rawValue) cannot both be given")
        }
    }

    /// The list of a command without CSV.
    func listing() throws(Failure) -> Listing {
        guard format != .csv else {
            throw Failure(.usage, "--format csv: this list has no CSV; write table or json")
        }
        return Listing(json ? .json : format ?? .table, to: output, remedy: "a wider terminal or --json")
    }
}

/// The format of a list that can be CSV, and where it goes.
struct CSVOutputOptions: ParsableArguments {
    @OptionGroup var output: OutputOptions

    @Flag(help: "Print CSV (RFC 4180); the same as --format csv.")
    var csv = false

    /// Nil if no format is given.
    var format: OutputOptions.Format? { output.json ? .json : csv ? .csv : output.format }

    func validate() throws {
        if csv, output.json { throw ValidationError("--json and --csv cannot both be given") }
        if csv, let format = output.format, format != .csv {
            throw ValidationError("--csv and --format \(format.rawValue) cannot both be given")
        }
    }

    /// - Parameter usual: the format if none is given.
    func listing(usual: OutputOptions.Format = .table) -> Listing {
        Listing(format ?? usual, to: output.output, remedy: "a wider terminal, --csv or --json")
    }
}

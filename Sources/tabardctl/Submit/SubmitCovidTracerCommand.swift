import ArgumentParser
import Authority
import CommandLineText
import Exposure
import FixedMemory
import Reports
import Schemes

struct SubmitCovidTracerCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "covid-tracer", abstract: "Prepare a CovidTracer submission of sixteen day keys.",
        usage: "tabardctl submit covid-tracer --symptoms-began <date> [<options>]",
        discussion: """
            Examples:
              tabardctl submit covid-tracer --symptoms-began 2026-11-20 --board Anna \\
                  --output report.http
              tabardctl submit covid-tracer --root root --symptoms-began 2026-11-20 \\
                  --tested --yes > report.http

            The submission has the keys from five days before the first symptoms to ten days after, \
            as in the original app. The authority accepts no fewer, and publishes a key only after \
            its day. The output is the request that the app would send.

            All day keys derive from the root key. The root key stays in its file, or in the archive \
            if the board made it itself.
            """)

    @Option(
        help: ArgumentHelp(
            "Root key of the board, 32 bytes; default: the root key that the board made itself.",
            valueName: "file"), completion: .file())
    var root: String?

    @Option(help: ArgumentHelp("First day of symptoms, such as 2026-11-20.", valueName: "date"))
    var symptomsBegan: CalendarDate

    @Flag(help: "State that a test confirmed the illness.")
    var tested = false

    @Option(
        help: ArgumentHelp(
            "Comment for the authority, up to 1000 characters; not published.", valueName: "text"))
    var comment = ""

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var explanation: ExplanationOptions

    @OptionGroup var host: HostOption

    @OptionGroup var output: SubmissionOutput

    func validate() throws {
        guard comment.count <= CovidTracerReport.maximumCommentLength else {
            throw ValidationError("--comment can have at most 1000 characters")
        }
    }

    func execute() throws(Failure) {
        try SubmissionDays.requireBegun(symptomsBegan)
        let keys = try keys()
        let report: CovidTracerReport
        do throws(CovidTracerError) {
            report = try CovidTracerReport(symptomOnset: symptomsBegan, isTested: tested, comment: comment) {
                date throws(CovidTracerError) in try keys.dailyKey(of: date)
            }
        } catch {
            throw Failure(
                .usage,
                "--symptoms-began \(symptomsBegan.text): its sixteen days are out of range; give another day")
        }
        try output.writeIfAgreed(.covidTracer(report, host: host.host))
    }

    /// The given root, or those that the board made, which must explain what it showed.
    private func keys() throws(Failure) -> OwnRoots {
        guard let root else {
            let log = try recorded.open()
            let keys = OwnRoots(try log.ownKeys(of: .covidTracer, orFileBy: "--root"))
            try check(keys, log)
            return keys
        }
        let keys = OwnRoots(root: try SchemeSecrets.covidTracer(root).bytes)
        // With a root alone there may be no archive.
        if recorded.board != nil { try check(keys, try recorded.open()) }
        return keys
    }

    private func check(_ keys: OwnRoots, _ log: WearerLog) throws(Failure) {
        let began = symptomsBegan.daysSince1970
        let first = began - min(began, UInt32(CovidTracerReport.daysBeforeOnset))
        let days = first...first + UInt32(CovidTracerReport.dayCount) - 1
        try explanation.require(of: log, by: "--root") {
            ShownIdentities(of: $0, onDays: days, explainedBy: keys)
        }
    }
}

/// The authority to which a request is addressed.
struct HostOption: ParsableArguments {
    @Option(help: ArgumentHelp("Host name of the authority in the request.", valueName: "name"))
    var host = "authority.invalid"

    func validate() throws {
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !host.isEmpty else {
            throw ValidationError("--host must be a host name without spaces")
        }
    }
}

extension CalendarDate: ExpressibleByArgument {
    public init?(argument: String) { self.init(text: argument) }

    public var defaultValueDescription: String { text }
}

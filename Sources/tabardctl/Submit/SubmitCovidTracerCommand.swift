import ArgumentParser
import Authority
import CommandLineText
import Exposure
import FixedMemory
import Reports
import Schemes

struct SubmitCovidTracerCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "covid-tracer", abstract: "Hand over the keys of sixteen days.",
        discussion: """
            From five days before the symptoms began to ten after, as its app does; the authority takes no fewer, and publishes \
            none before its day is over. What is written is the request that the app would send. The root key itself, from \
            which all days follow, stays where it is: in the file of who gave it to the board, or in the archive, where the board \
            made it itself and wrote it down in its log.

            Examples:
              tabardctl submit covid-tracer --symptoms-began 2026-11-20 --board Anna --output report.http
              tabardctl submit covid-tracer --root root --symptoms-began 2026-11-20 --tested --yes > report.http
            """)

    @Option(
        help: ArgumentHelp(
            "The root key that the board was given, 32 bytes; without it, the one that the board made itself.",
            valueName: "file"))
    var root: String?

    @Option(help: ArgumentHelp("The day, as 2026-11-20.", valueName: "date"))
    var symptomsBegan: CalendarDate

    @Flag(help: "Say that a test has found the illness.")
    var tested = false

    @Option(
        help: ArgumentHelp(
            "What to tell the authority besides; it is not published.", valueName: "text"))
    var comment = ""

    @OptionGroup var recorded: SubmissionArchive

    @OptionGroup var host: HostOption

    @OptionGroup var consent: ConsentOptions

    func validate() throws {
        guard comment.count <= CovidTracerReport.maximumCommentLength else {
            throw ValidationError("--comment may have 1000 characters")
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
            throw Failure(.usage, "--symptoms-began \(symptomsBegan.text): its sixteen days have no dates")
        }
        try consent.hand(over: .covidTracer(report, host: host.host))
    }

    private func keys() throws(Failure) -> OwnRoots {
        guard let root else { return OwnRoots(try recorded.ownKeys(of: .covidTracer, orFileBy: "--root")) }
        return OwnRoots(root: try SchemeSecrets.covidTracer(root).bytes)
    }
}

/// Whom a request is for.
struct HostOption: ParsableArguments {
    @Option(help: ArgumentHelp("The authority's host, as it stands in the request.", valueName: "name"))
    var host = "authority.invalid"

    func validate() throws {
        guard host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }), !host.isEmpty else {
            throw ValidationError("--host must be a host's name, without blanks")
        }
    }
}

extension CalendarDate: ExpressibleByArgument {
    public init?(argument: String) { self.init(text: argument) }

    public var defaultValueDescription: String { text }
}

import ArgumentParser
import Authority
import CommandLineText
import Exposure
import Reports
import Schemes

struct MatchCovidTracerCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "covid-tracer",
        abstract: "Say which boards met people whose keys CovidTracer has published.",
        discussion: """
            CASES is cases.json, as phones fetch it. An identifier matches in its own hour, and in one on either side. What \
            boards heard more than 15 days ago does not match, as on phones.

            Exit code 0: done, whether anything matched or not; 65: the file is no cases.json; 66: there is no such file.

            Examples:
              tabardctl match covid-tracer cases.json
              tabardctl match covid-tracer cases.json --board Foyer --format json
            """)

    @Argument(help: ArgumentHelp("What the authority has published.", valueName: "cases"))
    var cases: String

    @OptionGroup var options: MatchOptions

    func execute() throws(Failure) {
        guard let published = CovidTracerCases.cases(try Documents.json(cases)) else {
            throw Failure(.data, "\(cases): no cases.json of CovidTracer's; fetch it again")
        }
        let keys = published.map { PublishedIdentityKey($0.key, text: $0.key.text, kind: $0.type) }
        try options.match(keys, of: CovidTracer.self)
    }
}

import ArgumentParser
import Authority
import CommandLineText
import Exposure
import Reports
import Schemes

struct MatchCovidTracerCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "covid-tracer",
        abstract: "Find encounters with published CovidTracer keys.",
        usage: "tabardctl match covid-tracer <cases> [<options>]",
        discussion: """
            Examples:
              tabardctl match covid-tracer cases.json
              tabardctl match covid-tracer cases.json --board Foyer --format json

            CASES is the cases.json that phones fetch. An identifier matches in its own hour and in \
            one hour before and after. Encounters of more than 15 days ago do not match, as on \
            phones.

            Exit codes: 0 done, with or without a match; 65 not a cases.json; 66 no such file.
            """)

    @Argument(help: ArgumentHelp("Published cases.json.", valueName: "cases"), completion: .file())
    var cases: String

    @OptionGroup var options: MatchOptions

    func execute() throws(Failure) {
        guard let published = CovidTracerCases.cases(try Documents.json(cases)) else {
            throw Failure(.data, "\(cases): not a cases.json of CovidTracer; fetch it again")
        }
        let keys = published.map { PublishedIdentityKey($0.key, text: $0.key.text, kind: $0.type) }
        try options.match(keys, of: CovidTracer.self)
    }
}

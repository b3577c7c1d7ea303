import ArgumentParser
import Authority
import CommandLineText
import FixedMemory

struct AuthorityCovidTracerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "covid-tracer", abstract: "Accept reports of day keys, and publish cases.json.",
        subcommands: [Accept.self, Cases.self])

    struct Accept: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept", abstract: "Add a report to the register, or reject it.",
            usage: """
                tabardctl authority covid-tracer accept <report> --register <file>
                  --address <text> [<options>]
                """,
            discussion: """
                Examples:
                  tabardctl authority covid-tracer accept report.http \\
                      --register register.json --address 192.0.2.1

                A report is the output of `tabardctl submit covid-tracer`: keys of sixteen \
                consecutive days that have begun. The command rejects other requests with 400, known \
                keys with 403, and a sixth report from one address within an hour with 429.

                Exit codes: 0 accepted; 65 rejected.
                """)

        @Argument(help: ArgumentHelp("Request file of the report.", valueName: "report"), completion: .file())
        var report: String

        @Option(
            help: ArgumentHelp("Register file, created if needed.", valueName: "file"), completion: .file())
        var register: String

        @Option(
            help: ArgumentHelp(
                "Sender's address as the authority saw it, such as 192.0.2.1.", valueName: "text"))
        var address: String

        @Option(help: ArgumentHelp("Time of arrival; default: now.", valueName: "time"))
        var at: String?

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            guard let fields = CovidTracerReport.fields(of: try Documents.request(report)) else {
                throw Failure(
                    .data,
                    "\(report): not a CovidTracer report; write one with `tabardctl submit covid-tracer`")
            }
            let lock = try Documents.lock(register)
            defer { withExtendedLifetime(lock) {} }
            var kept = try CovidTracerRegister(path: register, mayBeAbsent: true)
            do throws(CovidTracerRefusal) {
                try kept.accept(fields, from: address, at: now)
            } catch {
                throw Failure(.data, "\(report): rejected with \(error.status): \(error.reason)")
            }
            try Documents.replace(register, kept.json, isPrivate: true)
            Console.print("\(report): accepted, keys of \(CovidTracerReport.dayCount) days")
        }
    }

    struct Cases: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "cases", abstract: "Write the cases.json that phones fetch.",
            usage: "tabardctl authority covid-tracer cases --register <file> [<options>]",
            discussion: """
                Examples:
                  tabardctl authority covid-tracer cases --register register.json \\
                      --output cases.json

                The file has the keys that were reported before the last noon or midnight UTC. It \
                includes days before today and less than sixteen days ago.
                """)

        @Option(help: ArgumentHelp("Register file.", valueName: "file"), completion: .file())
        var register: String

        @Option(help: ArgumentHelp("Time of publication; default: now.", valueName: "time"))
        var at: String?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Output file; - is standard output.", valueName: "file"), completion: .file())
        var output = "-"

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            let rows = try CovidTracerRegister(path: register).cases(at: now)
            try Documents.replace(output, CovidTracerCases.json(rows), isPrivate: false)
            Console.report("\(Count.text(rows.count, "key")) published")
        }
    }
}

extension CovidTracerRegister: RegisterFile {
    static let schemeName = "CovidTracer"
}

extension CovidTracerRefusal {
    fileprivate var reason: String {
        switch self {
        case .badRequest(let defect): defect.reason
        case .alreadyKnown: "one of its keys was reported before"
        case .tooManyRequests: "five reports came from this address within an hour"
        }
    }
}

extension CovidTracerReportDefect {
    fileprivate var reason: String {
        switch self {
        case .fieldCount(let count): "\(count) fields instead of the 34 for the keys of sixteen days"
        case .repeatedField(let name): "field \(name) occurs twice"
        case .noTestResult: "field is_tested is neither true nor false"
        case .noComment:
            "no comment, or more than \(CovidTracerReport.maximumCommentLength) characters"
        case .noDate(let index): "field keys-\(index)-date is not a date such as 2026-11-20"
        case .noKey(let index): "field keys-\(index)-value is not 64 capital hexadecimal digits"
        case .notConsecutive(let index): "field keys-\(index)-date is not the day after the one before"
        case .repeatedKey: "two days have the same key"
        case .notBegun(let day): "its first day, \(day.text), has not begun; check the clock"
        }
    }
}

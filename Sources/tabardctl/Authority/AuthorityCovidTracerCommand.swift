import ArgumentParser
import Authority
import CommandLineText
import FixedMemory

struct AuthorityCovidTracerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "covid-tracer", abstract: "Take reports of days' keys, and publish them as cases.json.",
        subcommands: [Accept.self, Cases.self])

    struct Accept: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "accept", abstract: "Take a report into the register, or say why not.",
            discussion: """
                A report is the request that `tabardctl submit covid-tracer` has written. It is refused with 400 if it has not \
                the keys of sixteen days one after another that have begun, with 403 if one of them is known, with 429 after \
                five from one address within an hour. --address is whom it came from, for that.

                Exit code 0: taken; 65: refused.

                Examples:
                  tabardctl authority covid-tracer accept report.http --register register.json --address 192.0.2.1
                """)

        @Argument(help: ArgumentHelp("The request.", valueName: "report"))
        var report: String

        @Option(help: ArgumentHelp("The register, which is made if it is not there.", valueName: "file"))
        var register: String

        @Option(help: ArgumentHelp("Who sent it, as the authority itself saw.", valueName: "text"))
        var address: String

        @Option(help: ArgumentHelp("When it came (by default now).", valueName: "time"))
        var at: String?

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            guard let fields = CovidTracerReport.fields(of: try Documents.request(report)) else {
                throw Failure(.data, "\(report): no report of CovidTracer's")
            }
            let lock = try Documents.lock(register)
            defer { withExtendedLifetime(lock) {} }
            var kept = try CovidTracerRegister(path: register, mayBeAbsent: true)
            do throws(CovidTracerRefusal) {
                try kept.accept(fields, from: address, at: now)
            } catch {
                throw Failure(.data, "\(report): refused with \(error.status), \(error.reason)")
            }
            try Documents.replace(register, kept.json, isPrivate: true)
            Console.print("\(report): taken, the keys of \(CovidTracerReport.dayCount) days")
        }
    }

    struct Cases: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "cases", abstract: "Write cases.json, which phones fetch.",
            discussion: """
                In it is what was reported before the last noon or midnight UTC, of days before today and less than sixteen ago.

                Examples:
                  tabardctl authority covid-tracer cases --register register.json --output cases.json
                """)

        @Option(help: ArgumentHelp("The register.", valueName: "file"))
        var register: String

        @Option(help: ArgumentHelp("As of then (by default now).", valueName: "time"))
        var at: String?

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp("Where to write it; - is standard output.", valueName: "file"))
        var output = "-"

        func execute() throws(Failure) {
            let now = try MomentArgument.unixSeconds(at, "--at")
            let rows = try CovidTracerRegister(path: register).cases(at: now)
            try Documents.replace(output, CovidTracerCases.json(rows), isPrivate: false)
            Console.note("\(rows.count) keys published")
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
        case .alreadyKnown: "for a key of it was reported before"
        case .tooManyRequests: "for five came from this address within an hour"
        }
    }
}

extension CovidTracerReportDefect {
    fileprivate var reason: String {
        switch self {
        case .fieldCount(let count): "for it has \(count) fields and not the 34 of sixteen days' keys"
        case .repeatedField(let name): "for its field \(name) comes twice"
        case .noTestResult: "for its field is_tested is neither true nor false"
        case .noComment:
            "for it has no comment, or one of more than \(CovidTracerReport.maximumCommentLength) characters"
        case .noDate(let index): "for its field keys-\(index)-date is no date such as 2026-11-20"
        case .noKey(let index): "for its field keys-\(index)-value has not 64 hexadecimal digits in capitals"
        case .notConsecutive(let index): "for keys-\(index)-date is not the day after the one before"
        case .repeatedKey: "for two of its days have the same key"
        case .notBegun(let day): "for its first day, \(day.text), has not begun; is the clock right?"
        }
    }
}

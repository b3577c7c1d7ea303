import ArgumentParser
import Authority

struct AuthorityHeraldCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "herald", abstract: "Publish matching keys.", subcommands: [Append.self])

    struct Append: ReportingCommand {
        static let configuration = CommandConfiguration(
            commandName: "append", abstract: "Take somebody's keys into the list that is published.",
            discussion: """
                A report is what `tabardctl submit herald` has written; the list has the same form, sorted by keys. A report with \
                a key of a day that is not over is refused: others could use its identifiers.

                Exit code 0: taken; 65: refused.

                Examples:
                  tabardctl authority herald append keys.json --list published.json
                """)

        @Argument(help: ArgumentHelp("Somebody's keys.", valueName: "report"))
        var report: String

        @OptionGroup var publication: PublishedList

        func execute() throws(Failure) {
            guard let own = HeraldMatchingKeys(try Documents.json(report)) else {
                throw Failure(.data, "\(report): no list of Herald's matching keys, or damaged")
            }
            let today = try publication.unixSeconds() / 86_400
            guard own.entries.allSatisfy({ $0.date.daysSince1970 < today }) else {
                throw Failure(.data, "\(report): refused, for it has keys of days that are not over")
            }
            try publication.update { json throws(Failure) in
                var list = HeraldMatchingKeys()
                if let json {
                    guard let kept = HeraldMatchingKeys(json) else { return nil }
                    list = kept
                }
                let before = list.entries.count
                list.append(own.entries)
                return (list.json, list.entries.count - before, list.entries.count)
            }
        }
    }
}

/// A list that is published, to which reports are added.
struct PublishedList: ParsableArguments {
    @Option(help: ArgumentHelp("The list, which is made if it is not there.", valueName: "file"))
    var list: String

    @Option(help: ArgumentHelp("When the report came (by default now).", valueName: "time"))
    var at: String?

    func unixSeconds() throws(Failure) -> UInt64 { try MomentArgument.unixSeconds(at, "--at") }

    /// - Parameter change: what is to be there instead of what was, nil for nothing; how many are new, and how many there are
    ///   then. Nil for what is no such list.
    func update(
        _ change: (JSONValue?) throws(Failure) -> (json: JSONValue, added: Int, total: Int)?
    ) throws(Failure) {
        let lock = try Documents.lock(list)
        defer { withExtendedLifetime(lock) {} }
        guard let new = try change(try Documents.json(list, isPrivate: false, mayBeAbsent: true)) else {
            throw Failure(.data, "\(list): no list as `tabardctl authority` writes it, or damaged")
        }
        try Documents.replace(list, new.json, isPrivate: false)
        Console.print("\(list): \(new.added) added, \(new.total) published")
    }
}

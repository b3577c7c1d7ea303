import Archive
import ArgumentParser
import CommandLineText
import EncounterLog
import Reports

/// Whether to show what rests on the peers' own writing alone.
struct WrittenOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Leave out encounters whose identity, or presence, the peer only wrote to the board."))
    var withoutWritten = false
}

/// The encounters to show.
struct FilterOptions: ParsableArguments {
    @OptionGroup var time: TimeOptions

    @Option(
        help: ArgumentHelp(
            "Only this scheme, such as herald, or unidentified; `tabardctl forget --list` lists them.",
            valueName: "scheme"), completion: ValueCompletion.scheme)
    var scheme: String?

    @Option(
        help: ArgumentHelp(
            "Only identities that start with these hexadecimal digits, or that have this name, label or last word.",
            valueName: "identity"))
    var identity: String?

    @Option(
        help: ArgumentHelp(
            "Only encounters of at least this duration, such as 90s, 10min or 2h.", valueName: "span"))
    var minimumDuration: String?

    @OptionGroup var written: WrittenOptions

    /// All but the boards, which only an archive knows.
    func filter() throws(Failure) -> EncounterFilter {
        var filter = EncounterFilter()
        (filter.since, filter.until) = try time.times()
        if let scheme {
            let kind = ContactKind(label: scheme) ?? SchemeCode(label: scheme).map(ContactKind.scheme)
            guard let kind else {
                throw Failure(
                    .usage,
                    "--scheme \(scheme): no such scheme; write one of "
                        + ContactRetention.usual.map(\.kind.label).joined(separator: ", "))
            }
            filter.kind = kind
        }
        guard identity?.isEmpty != true else {
            throw Failure(.usage, "--identity: empty; \(Self.identityForms)")
        }
        filter.identityText = identity
        filter.excludesWritten = written.withoutWritten
        filter.minimumDuration = try DurationArgument.duration(minimumDuration, "--minimum-duration")
        return filter
    }

    private static let identityForms =
        "write the label under WHO, its last word, or the first hexadecimal digits as --json shows them"

    /// Adds the chosen boards. A label must be that of somebody in the archive, for it may be mistyped.
    func choose(_ filter: inout EncounterFilter, in archive: Archive) throws(Failure) {
        filter.boards = try BoardChoice.identities(named: time.board, of: archive)
        guard let identity else { return }
        let named = try archiving { () throws(ArchiveError) in try archive.labels() }
            .identities(named: identity)
        if !named.isEmpty {
            filter.identityText = nil
            filter.identities = named
            return
        }
        guard !identity.allSatisfy(\.isHexDigit) else { return }
        try BoardChoice.requireBoard(in: archive)
        let all = try archiving { () throws(ArchiveError) in try archive.metIdentities() }
        guard all.contains(where: { $0.isMeant(by: identity) }) else {
            throw Failure(.noInput, "--identity \(identity): nobody has this label; \(Self.identityForms)")
        }
    }

    /// The options as given, as words of a command.
    var arguments: [String] {
        let values = [
            ("--since", time.since), ("--until", time.until), ("--scheme", scheme), ("--identity", identity),
            ("--minimum-duration", minimumDuration),
        ]
        return values.flatMap { name, value in value.map { [name, $0] } ?? [] }
            + time.board.flatMap { ["--board", $0] }
            + (written.withoutWritten ? ["--without-written"] : [])
    }

    /// The options as given, for a report's footer.
    var description: [String] {
        time.description
            + [
                scheme.map { "scheme \($0)" },
                identity.map { "identity \($0)" + ($0.allSatisfy(\.isHexDigit) ? "…" : "") },
                minimumDuration.map { "at least \($0)" },
                written.withoutWritten ? "nothing that was only written" : nil,
            ].compactMap(\.self)
    }
}

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

    @Option(help: ArgumentHelp("Only this scheme, such as herald.", valueName: "scheme"))
    var scheme: String?

    @Option(help: ArgumentHelp("Only identities that start with these hexadecimal digits.", valueName: "hex"))
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
            guard let known = SchemeCode(label: scheme) else {
                throw Failure(
                    .usage,
                    "--scheme \(scheme): no such scheme; write one of "
                        + SchemeCode.named.map(\.label).joined(separator: ", "))
            }
            filter.scheme = known
        }
        if let identity, identity.isEmpty || !identity.allSatisfy(\.isHexDigit) {
            throw Failure(
                .usage, "--identity \(identity): not hexadecimal; write its first digits as --json shows them"
            )
        }
        filter.identityPrefix = identity
        filter.excludesWritten = written.withoutWritten
        if let minimumDuration {
            guard let span = TimeArgument.span(minimumDuration) else {
                throw Failure(
                    .usage, "--minimum-duration \(minimumDuration): not a duration; write 90s, 10min or 2h")
            }
            filter.minimumDuration = span
        }
        return filter
    }

    /// Adds the chosen boards.
    func choose(_ filter: inout EncounterFilter, in archive: Archive) throws(Failure) {
        filter.boards = try BoardChoice.identities(named: time.board, of: archive)
    }

    /// The options as given, for a report's footer.
    var description: [String] {
        time.description
            + [
                scheme.map { "scheme \($0)" }, identity.map { "identity \($0)…" },
                minimumDuration.map { "at least \($0)" },
                written.withoutWritten ? "nothing that was only written" : nil,
            ].compactMap(\.self)
    }
}

import Archive
import ArgumentParser
import CommandLineText
import Reports

/// The contacts to show.
struct ContactOptions: ParsableArguments {
    @OptionGroup var time: TimeOptions

    @Option(
        help: ArgumentHelp(
            "Only contacts of at least this duration, such as 90s, 10min or 2h.", valueName: "span"))
    var minimumDuration: String?

    @OptionGroup var written: WrittenOptions

    /// All but the boards, which only an archive knows.
    func filter() throws(Failure) -> ContactFilter {
        var filter = ContactFilter()
        (filter.since, filter.until) = try time.times()
        filter.minimumDuration = try DurationArgument.duration(minimumDuration, "--minimum-duration")
        filter.excludesWritten = written.withoutWritten
        return filter
    }

    /// The options as given.
    var description: [String] {
        time.description
            + [
                minimumDuration.map { "at least \($0)" },
                written.withoutWritten ? "nothing that was only written" : nil,
            ].compactMap(\.self)
    }
}

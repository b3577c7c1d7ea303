import Archive
import ArgumentParser
import Foundation
import Reports

/// Which encounters to show.
struct FilterOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only what lasted until then or longer: 2026-11-21, 2026-11-21T09:30, with a zone (Z, +01:00) or "
                + "without (local time), or so long ago (30min, 2h, 7d).", valueName: "time"))
    var since: String?

    @Option(help: ArgumentHelp("Only what began before then.", valueName: "time"))
    var until: String?

    @Option(
        help: ArgumentHelp("Only this board: its name, or the first digits of its log.", valueName: "board"))
    var board: String?

    @Option(help: ArgumentHelp("Only this scheme, for example herald.", valueName: "scheme"))
    var scheme: String?

    @Option(help: ArgumentHelp("Only identities that begin with these hexadecimal digits.", valueName: "hex"))
    var identity: String?

    @Option(help: ArgumentHelp("Only what lasted so long: 90s, 10min, 2h.", valueName: "span"))
    var minimumDuration: String?

    func filter() throws(Failure) -> EncounterFilter {
        var filter = EncounterFilter()
        filter.sinceMilliseconds = try time(since, "--since")
        filter.untilMilliseconds = try time(until, "--until")
        filter.board = board
        if let scheme {
            guard let known = Scheme(name: scheme) else {
                throw Failure(.usage, "--scheme \(scheme): there is no such scheme; herald is one")
            }
            filter.scheme = known
        }
        filter.identityPrefix = identity
        if let minimumDuration {
            guard let span = TimeArgument.spanMilliseconds(minimumDuration) else {
                throw Failure(
                    .usage, "--minimum-duration \(minimumDuration): not a span; write 90s, 10min or 2h")
            }
            filter.minimumDurationMilliseconds = span
        }
        return filter
    }

    /// As given, for a report's footer.
    var description: [String] {
        [
            since.map { "since \($0)" }, until.map { "until \($0)" }, board.map { "board \($0)" },
            scheme.map { "scheme \($0)" }, identity.map { "identity \($0)…" },
            minimumDuration.map { "at least \($0)" },
        ].compactMap(\.self)
    }

    private func time(_ text: String?, _ option: String) throws(Failure) -> Int64? {
        guard let text else { return nil }
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        guard let time = TimeArgument.milliseconds(text, nowMilliseconds: now) else {
            throw Failure(.usage, "\(option) \(text): not a time; write 2026-11-21, 2026-11-21T09:30 or 2h")
        }
        return time
    }
}

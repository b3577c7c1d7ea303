import CommandLineText
import FixedMemory

/// The time between --since and --until; either may be open.
struct MomentRange {
    let since: WallClockTime?
    let until: WallClockTime?

    init(since: String?, until: String?) throws(Failure) {
        self.since = try Self.time(since, "--since")
        self.until = try Self.time(until, "--until")
        if let start = self.since, let end = self.until, start >= end {
            throw Failure(.usage, "--since \(since ?? "") is not before --until \(until ?? ""); swap them")
        }
    }

    init(_ since: WallClockTime?, _ until: WallClockTime?) {
        self.since = since
        self.until = until
    }

    private static func time(_ text: String?, _ option: String) throws(Failure) -> WallClockTime? {
        guard let text else { return nil }
        return try MomentArgument.time(text, option)
    }
}

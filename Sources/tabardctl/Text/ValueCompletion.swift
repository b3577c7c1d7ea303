import Archive
import ArgumentParser
import BoardLink
import CommandLineText

/// The values of options and arguments that a shell offers.
enum ValueCompletion {
    static let key = CompletionKind.file(extensions: ["pem"])

    /// The serial ports of this computer, whatever is behind them: to ask would take seconds.
    static let port = CompletionKind.custom { _, _, _ in SerialPorts.candidates(given: []) }

    /// The names of the boards in the archive that the command line names, or in the usual one.
    static let board = CompletionKind.custom { words, _, _ in
        silently { () throws(Failure) in
            let archive = try archive(of: words)
            return try archiving { () throws(ArchiveError) in try archive.boards() }.map(\.label)
        }
    }

    /// The schemes, by the names that `--scheme` takes.
    static let scheme = CompletionKind.list(ContactRetention.usual.map(\.kind.label))

    private static func archive(of words: [String]) throws(Failure) -> Archive {
        var options: [String] = []
        if let place = words.firstIndex(of: "--archive"), place + 1 < words.count {
            options = ["--archive", words[place + 1]]
        }
        guard let parsed = try? ArchiveOptions.parse(options) else {
            throw Failure(.usage, "--archive: no file")
        }
        return try parsed.open(.reading)
    }

    /// A shell that completes a word wants neither failures nor notes.
    private static func silently(_ candidates: () throws(Failure) -> [String]) -> [String] {
        Console.$listener.withValue(MessageListener { _ in }) {
            do throws(Failure) { return try candidates() } catch { return [] }
        }
    }
}

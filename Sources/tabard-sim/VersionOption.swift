import ArgumentParser
import Foundation
import Simulator

/// The version under test, which stands beside the seed in what is said of a failure.
struct VersionOption: ParsableArguments {
    @Option(help: "Name of the version under test in the output.") var commit = "unknown"

    /// The world of a seed, and this program with these words and `--seed` to replay it.
    func world(seed: UInt64, _ words: [String]) -> WorldReplay {
        worlds(from: seed, words + ["--seed", "\(seed)"])
    }

    /// The same of what only several seeds show: the words say which.
    func worlds(from seed: UInt64, _ words: [String]) -> WorldReplay {
        WorldReplay(seed: seed, commit: commit, words: [Self.program] + words)
    }

    /// As it was called, so that the line can be pasted; workers are called by their whole path.
    private static let program: String = {
        let path = CommandLine.arguments.first ?? "tabard-sim"
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }()
}

extension WorldReplay {
    /// Prints the one line of a failure and ends the program.
    func fail(_ what: String) throws(ExitCode) -> Never {
        ProgressText.clear()
        print(failure(what))
        throw ExitCode(EX_SOFTWARE)
    }
}

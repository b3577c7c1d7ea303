import ArgumentParser
import Foundation
import Simulator

/// The version under test, which each failure names beside the seed.
struct VersionOption: ParsableArguments {
    @Option(help: ArgumentHelp("Name of the version under test in the output.", valueName: "name"))
    var commit = "unknown"

    /// The world of a seed, replayed by this program with these words and `--seed`.
    func world(seed: UInt64, _ words: [String]) -> WorldReplay {
        worlds(from: seed, words + ["--seed", "\(seed)"])
    }

    /// The worlds of several seeds, for a failure that only all of them show; the words select them.
    func worlds(from seed: UInt64, _ words: [String]) -> WorldReplay {
        WorldReplay(seed: seed, commit: commit, words: [Self.program] + words)
    }

    /// The program's path as it was called, so that the replay can be pasted. Workers are called by their
    /// absolute path.
    private static let program: String = {
        let path = CommandLine.arguments.first ?? "tabard-sim"
        let here = FileManager.default.currentDirectoryPath + "/"
        return path.hasPrefix(here) ? String(path.dropFirst(here.count)) : path
    }()
}

extension WorldReplay {
    /// Prints the failure in one line, and ends the program.
    func fail(_ what: String) throws(ExitCode) -> Never {
        ProgressText.clear()
        print(failure(what))
        throw ExitCode(EX_SOFTWARE)
    }
}

import Archive
import CommandLineText
import Foundation

/// Reports the outcome of an upgrade of the archive.
enum UpgradeText {
    static func text(_ outcome: ArchiveUpgrade.Outcome, _ path: String) -> String {
        switch outcome {
        case .none: "\(path): already up to date"
        case .decoded: "\(path): pages decoded"
        case .converted(let kept):
            "\(path): converted; the earlier archive is now \(kept), and you may delete it"
        }
    }

    /// A line on standard error, unless the archive was up to date.
    static func printNote(_ outcome: ArchiveUpgrade.Outcome, _ path: String) {
        if outcome != .none { Console.report(text(outcome, path)) }
    }

    /// A line on standard error if an earlier archive lies beside this one: it still has the removed data.
    static func printEarlierArchive(_ path: String) {
        let kept = ArchiveUpgrade.keptPath(of: path)
        guard FileManager.default.fileExists(atPath: kept) else { return }
        Console.report("\(kept): the earlier archive still has everything; delete it too")
    }
}

import Archive
import BoardLink
import CommandLineText
import Sync

/// Brings an archive up to date with one board, and shows the progress.
struct BoardFetch {
    let archive: Archive
    let options: Synchroniser.Options
    var baud = SerialChannel.defaultBaud

    func run(_ port: String) throws(Failure) -> SyncSummary {
        Interruption.watch()
        let progress = ProgressLine(name: port)
        let synchroniser = Synchroniser(
            client: try BoardPorts.open(port, baud: baud), archive: archive, options: options,
            shouldStop: { Interruption.isRequested }, report: progress.update)
        defer { progress.finish() }
        let summary: SyncSummary
        do throws(SyncError) { summary = try synchroniser.run() } catch {
            throw Failure(error, hasBegun: progress.hasBegun)
        }
        if let name = options.name {
            try BoardNameRule.reportNamesakes(of: summary.board, named: name, in: archive)
        }
        return summary
    }
}

import Archive
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory
import Foundation
import KeyFiles
import Sync

/// Sets a board up, after all questions: keys first, so that the log of the first day is encrypted.
struct SetupRun {
    let port: String
    let baud: UInt32
    let archive: Archive
    let settings: PlaceSettings
    let keys: SetupKeys.AtHand?

    /// How long a board may take to restart its agent and to bring its radio up.
    private static let startLimit = Interval.seconds(30)

    func run(_ present: PresentBoard) throws(Failure) {
        let operatorKey = try keys.map { keys throws(Failure) in try Keys.operatorKey(keys.operatorFile) }
        if let keys, present.keys?.operatorFingerprint == nil {
            try KeyExchange(
                client: BoardPorts.open(port, baud: baud), archive: archive, vouches: true, isConfirmed: true
            ).give(ownerKey: keys.ownerKey, operatorKey: keys.operatorKey)
        }
        let restarts = try configure(operatorKey)
        let status = try restarts ? restarted(after: present.status.bootIdentifier) : present.status
        try fetch(operatorKey, trusting: present.keys)
        report(status)
    }

    private func configure(_ operatorKey: OperatorKey?) throws(Failure) -> Bool {
        let client = try BoardPorts.open(port, baud: baud)
        client.operatorKey = operatorKey
        do throws(LinkError) {
            return try client.configure(settings.assignments)
        } catch {
            throw Failure(error, saidBy: client, nothing: "was set")
        }
    }

    /// Waits until the board's agent has started again, and its radio is up or the time is over.
    private func restarted(after boot: UInt64) throws(Failure) -> BoardStatus {
        let end = Instant.now + Self.startLimit
        var last: BoardStatus?
        while Instant.now < end {
            if let status = Self.status(port, baud), status.bootIdentifier != boot {
                last = status
                if status.radioState == .up { return status }
            }
            Console.showNote("\(port): waiting for the radio")
            usleep(300_000)
        }
        Console.endNote()
        guard let last else {
            throw Failure(
                .unavailable,
                "\(port): the board took its settings, but its agent has not started again; look at its "
                    + "system log: journalctl -u tabard")
        }
        return last
    }

    private static func status(_ port: String, _ baud: UInt32) -> BoardStatus? {
        guard let channel = try? SerialChannel(path: port, baud: baud) else { return nil }
        let client = BoardClient(channel)
        client.patience = .init(attemptCount: 1, timeout: .milliseconds(700))
        return try? client.status()
    }

    /// Sets the clock, names the board, and fetches what it has recorded.
    private func fetch(_ operatorKey: OperatorKey?, trusting keys: BoardKeyReport?) throws(Failure) {
        var options = Synchroniser.Options()
        options.operatorKey = operatorKey
        options.name = settings.boardName
        if let keys { options.trust.fingerprints = [keys.board.fingerprint] }
        let summary = try BoardFetch(archive: archive, options: options, baud: baud).run(port)
        let label = try archiving { () throws(ArchiveError) in try archive.label(of: summary.board) }
        Console.print("\(label): \(settings.summary)")
        if let damage = SyncSummaryText.damage(summary, label) { throw damage }
    }

    private func report(_ status: BoardStatus) {
        if status.radioState == .up || status.radioState == .quiet {
            Console.print("  radio \(status.radioText); the board is set up")
        } else {
            Console.print("  the board is set up, but its radio is not up: \(status.radioText)")
        }
    }
}

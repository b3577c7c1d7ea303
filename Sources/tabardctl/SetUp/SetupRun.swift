import Archive
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory
import Foundation
import KeyFiles
import Schemes
import Sync

/// Sets a board up, after all questions: keys first, so that the log of the first day is encrypted.
struct SetupRun {
    let port: String
    let baud: UInt32
    let archive: Archive
    let keys: SetupKeys.AtHand?
    /// The assignments that the board gets over the cable, `section.key=value`.
    let assignments: [String]
    /// The secrets that the board gets, by scheme.
    let secrets: [(scheme: SchemeID, record: SchemeRecord)]
    /// The board's name in the archive; nil for none.
    let boardName: String?
    /// The board's new use, for its operator.
    let summary: String
    /// The schemes whose secrets the board has stored so far.
    private(set) var storedSecrets: [SchemeID] = []

    /// How long a board may take to restart its agent and to bring its radio up.
    private static let startLimit = Interval.seconds(30)

    init(
        port: String, baud: UInt32, archive: Archive, keys: SetupKeys.AtHand?, assignments: [String],
        secrets: [(scheme: SchemeID, record: SchemeRecord)] = [], boardName: String?, summary: String
    ) {
        self.port = port
        self.baud = baud
        self.archive = archive
        self.keys = keys
        self.assignments = assignments
        self.secrets = secrets
        self.boardName = boardName
        self.summary = summary
    }

    mutating func run(_ present: PresentBoard) throws(Failure) {
        let operatorKey = try keys.map { keys throws(Failure) in try Keys.operatorKey(keys.operatorFile) }
        if let keys, present.keys?.operatorFingerprint == nil {
            try KeyExchange(
                client: BoardPorts.open(port, baud: baud), archive: archive, vouches: true, isConfirmed: true
            ).give(ownerKey: keys.ownerKey, operatorKey: keys.operatorKey)
        }
        var status = present.status
        for (scheme, record) in secrets {
            status = try give(record, of: scheme, operatorKey, trusting: present.keys, since: status)
            storedSecrets.append(scheme)
        }
        if try configure(operatorKey) { status = try restarted(after: status.bootIdentifier) }
        try fetch(operatorKey, trusting: present.keys)
        report(status)
    }

    /// Gives the board the secrets of a scheme, and waits until its agent uses them. With several changes in
    /// one start, nobody could tell which of them the next start has.
    private func give(
        _ record: SchemeRecord, of scheme: SchemeID, _ operatorKey: OperatorKey?,
        trusting keys: BoardKeyReport?, since status: BoardStatus
    ) throws(Failure) -> BoardStatus {
        let client = try BoardPorts.open(port, baud: baud)
        client.operatorKey = operatorKey
        let board = try TrustedBoard(
            client, knownTo: archive, trust: trust(keys), withoutKey: "its secrets would travel in clear")
        let restarts = try SchemeProvisioning(scheme: scheme, client: client).give(record, to: board)
        return try restarts ? restarted(after: status.bootIdentifier, untilRadio: false) : status
    }

    /// - Returns: whether the board's agent restarts to use its new settings.
    private func configure(_ operatorKey: OperatorKey?) throws(Failure) -> Bool {
        guard !assignments.isEmpty else { return false }
        let client = try BoardPorts.open(port, baud: baud)
        client.operatorKey = operatorKey
        do throws(LinkError) {
            return try client.configure(assignments)
        } catch {
            throw Failure(error, saidBy: client, nothing: "was set")
        }
    }

    /// Trusts the board with the key that it has shown, as its operator is about to set it up.
    private func trust(_ keys: BoardKeyReport?) -> TrustPolicy {
        var policy = TrustPolicy()
        if let keys { policy.fingerprints = [keys.board.fingerprint] }
        return policy
    }

    /// Waits until the board's agent has started again.
    /// - Parameter untilRadio: whether to wait until its radio is up, too, or the time is over.
    private func restarted(after boot: UInt64, untilRadio: Bool = true) throws(Failure) -> BoardStatus {
        let end = Instant.now + Self.startLimit
        var last: BoardStatus?
        while Instant.now < end {
            if let status = Self.status(port, baud), status.bootIdentifier != boot {
                last = status
                if status.radioState == .up || !untilRadio { return status }
            }
            Console.showNote("\(port): waiting for the \(untilRadio ? "radio" : "agent")")
            usleep(300_000)
        }
        Console.endNote()
        guard let last else {
            throw Failure(
                .unavailable,
                "\(port): the board took what it got, but its agent has not started again; look at its "
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
        options.name = boardName
        options.trust = trust(keys)
        let fetched = try BoardFetch(archive: archive, options: options, baud: baud).run(port)
        let label = try archiving { () throws(ArchiveError) in try archive.label(of: fetched.board) }
        Console.print("\(label): \(summary)")
        if let damage = SyncSummaryText.damage(fetched, label) { throw damage }
    }

    private func report(_ status: BoardStatus) {
        if status.radioState == .up || status.radioState == .quiet {
            Console.print("  radio \(status.radioText); the board is set up")
        } else {
            Console.print("  the board is set up, but its radio is not up: \(status.radioText)")
        }
    }
}

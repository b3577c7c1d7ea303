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
    var secrets: [(scheme: SchemeID, record: SchemeRecord)] = []
    /// The board's name in the archive; nil for none.
    let boardName: String?
    /// The board's new use, for its operator.
    let summary: String
    /// The schemes whose secrets the board has stored so far.
    private(set) var storedSecrets: [SchemeID] = []

    /// How long a board may take to restart its agent and to bring its radio up.
    private static let startLimit = Interval.seconds(30)

    mutating func run(_ present: PresentBoard) throws(Failure) {
        let operatorKey = try keys.map { keys throws(Failure) in try Keys.operatorKey(keys.operatorFile) }
        if let keys, present.keys?.operatorFingerprint == nil {
            try KeyExchange(
                client: BoardPorts.open(port, baud: baud), archive: archive, vouches: true, consent: nil
            ).give(ownerKey: keys.ownerKey, operatorKey: keys.operatorKey)
        }
        var status = present.status
        for (scheme, record) in secrets {
            status = try give(record, of: scheme, operatorKey, trusting: present.keys, since: status)
            storedSecrets.append(scheme)
        }
        if try configure(operatorKey) { status = try restarted(after: status) }
        if status.bootIdentifier != present.status.bootIdentifier { status = radioStarted(since: status) }
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
        return try restarts ? restarted(after: status) : status
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
    private func restarted(after former: BoardStatus) throws(Failure) -> BoardStatus {
        let status = poll("agent") { $0.bootIdentifier != former.bootIdentifier }
        guard let status, status.bootIdentifier != former.bootIdentifier else {
            throw Failure(
                .unavailable,
                "\(port): the board took what it got, but its agent has not started again; look at its "
                    + "system log: journalctl -u tabard")
        }
        return status
    }

    /// Waits until the board's radio is up, or the time is over.
    private func radioStarted(since status: BoardStatus) -> BoardStatus {
        poll("radio") { $0.radioState == .up } ?? status
    }

    /// Asks the board for its status until it is the awaited one, or the time is over.
    /// - Parameter subject: what the command waits for.
    /// - Returns: the last status; nil if the board gave none.
    private func poll(_ subject: String, until isAwaited: (BoardStatus) -> Bool) -> BoardStatus? {
        let end = Instant.now + Self.startLimit
        var last: BoardStatus?
        while Instant.now < end {
            if let status = Self.status(port, baud) {
                last = status
                if isAwaited(status) { return status }
            }
            Console.showNote("\(port): waiting for the \(subject)")
            usleep(300_000)
        }
        Console.endNote()
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

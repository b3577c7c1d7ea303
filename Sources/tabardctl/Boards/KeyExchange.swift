import Archive
import BoardLink
import CommandLineText
import Cryptography
import DeviceSync
import FixedMemory
import Foundation
import KeyFiles
import LogContents
import Sync

/// Gives keys to a board, and stores and prints the board's report about its keys.
struct KeyExchange {
    let client: BoardClient
    let archive: Archive
    /// Whether the operator vouches for the board's key, even if the board presented another key before.
    let vouches: Bool
    /// Nil if the operator has confirmed the command already.
    let consent: ConsentOptions?

    func give(ownerKey: P256PublicKey?, operatorKey: P256PublicKey?) throws(Failure) {
        let index: BoardIndex
        let shown: P256PublicKey
        do throws(LinkError) {
            _ = try client.echo()
            index = try client.index()
            shown = try client.keys().board
        } catch {
            throw failure(error)
        }
        let board = index.board
        try check(shown, of: board)
        guard try isAgreed(shown, of: board, ownerKey, operatorKey) else { return }
        let report: BoardKeyReport
        do throws(LinkError) {
            report = try client.setKeys(ownerKey: ownerKey, operatorKey: operatorKey)
        } catch {
            throw failure(error)
        }
        try check(report, ownerKey, operatorKey)
        // The answer alone proves nothing. The board signs with the reported key before the archive trusts
        // it.
        var trust = TrustPolicy()
        trust.fingerprints = [report.board.fingerprint]
        let proven: ProvenBoard
        do throws(SyncError) {
            proven = try BoardProof(client: client, archive: archive, trust: trust).board()
        } catch {
            throw Failure(error, hasBegun: false)
        }
        guard proven.claimed == board, proven.proof?.keys == report else { throw Self.changedMeanwhile }
        try archiving { () throws(ArchiveError) in
            try proven.register(index, in: archive, at: .now)
        }
        let label = try archiving { () throws(ArchiveError) in try archive.label(of: board) }
        Console.print(
            """
            \(label)
              board key     \(report.board.fingerprintText)
              owner key     \(report.ownerFingerprint.map(Fingerprint.text) ?? "none")
              operator key  \(report.operatorFingerprint.map(Fingerprint.text) ?? "none")
            """)
    }

    /// Asks for consent, because only the private operator key can undo the change.
    private func isAgreed(
        _ shown: P256PublicKey, of board: LogIdentity, _ ownerKey: P256PublicKey?,
        _ operatorKey: P256PublicKey?
    ) throws(Failure) -> Bool {
        guard let consent, consent.dryRun || !consent.yes else { return true }
        Console.report("\(client.channel.name): log \(board.short), board key \(shown.fingerprintText)")
        if let ownerKey { Console.report("  new owner key     \(ownerKey.fingerprintText)") }
        if let operatorKey { Console.report("  new operator key  \(operatorKey.fingerprintText)") }
        return try consent.isGiven(
            "Give the board these keys? Only the private operator key can change them again.",
            otherwise: "the board's keys were not changed")
    }

    /// Refuses an unknown board key. A board that lost its keys file has a new key; so does another board in
    /// its place.
    private func check(_ shown: P256PublicKey, of board: LogIdentity) throws(Failure) {
        let known = try archiving { () throws(ArchiveError) in try archive.keys(of: board) }
        guard let known, known.publicKey != shown.x963 else { return }
        guard vouches else {
            throw Failure(
                .noPermission,
                "the board has a new board key, \(shown.fingerprintText); if it is the same board and "
                    + "lost its key file, "
                    + "run `tabardctl provision`")
        }
        Console.report(
            "tabardctl: the board has a new board key; the archive now accepts it as the same board's"
        )
    }

    /// Refuses keys other than those that were sent: somebody on the line may have replaced them.
    private func check(
        _ report: BoardKeyReport, _ ownerKey: P256PublicKey?, _ operatorKey: P256PublicKey?
    ) throws(Failure) {
        let isOwner = ownerKey.map { report.ownerFingerprint == $0.fingerprint } ?? true
        let isOperator = operatorKey.map { report.operatorFingerprint == $0.fingerprint } ?? true
        guard isOwner, isOperator else {
            throw Failure(
                .noPermission,
                "the board reports other keys than those that were sent; check what is between this computer "
                    + "and the board, and provision it again")
        }
    }

    private static let changedMeanwhile = Failure(
        .noPermission, "the device changed its identity or its keys meanwhile; provision the board again")

    private func failure(_ error: LinkError) -> Failure {
        guard case .refused(_, let refusal) = error else { return Failure(error) }
        switch refusal {
        case .accessDenied:
            return Failure(
                .noPermission,
                "the board already has an operator key; replace it with `tabardctl rotate`, signed with "
                    + "that key"
            )
        case .keysRefused:
            return Failure(.data, "the board took neither key; give it both the first time")
        case .unknown:
            return Failure(.inputOutput, "the board could not store the keys; check its system log")
        default: return Failure(error, reason: client.refusalReason)
        }
    }
}

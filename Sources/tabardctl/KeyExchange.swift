import Archive
import BoardLink
import Cryptography
import DeviceSync
import KeyFiles

/// Gives keys to a board, and keeps and shows what it says of them.
struct KeyExchange {
    let client: BoardClient
    let archive: Archive

    func give(opening: P256PublicKey?, operating: P256PublicKey?) throws(Failure) {
        let index: BoardIndex
        let report: BoardKeyReport
        do throws(LinkError) {
            _ = try client.echo()
            index = try client.index()
            report = try client.setKeys(opening: opening, operating: operating)
        } catch {
            throw failure(error)
        }
        let board = index.board
        try archiving { () throws(ArchiveError) in
            try archive.register(
                board, blockByteCount: index.blockByteCount, unitByteCount: index.unitByteCount)
            try archive.record(BoardKeyring(report), of: board)
        }
        let label = try archiving { () throws(ArchiveError) in try archive.label(of: board) }
        Console.print(
            """
            \(label)
              board key     \(report.board.fingerprintText)
              opening key   \(report.openingFingerprint.map(Fingerprint.text) ?? "none")
              operator key  \(report.operatorFingerprint.map(Fingerprint.text) ?? "none")
            """)
    }

    private func failure(_ error: LinkError) -> Failure {
        guard case .refused(_, let refusal) = error else { return Failure(error) }
        switch refusal {
        case .accessDenied:
            return Failure(
                .noPermission,
                "the board has an operator key already; `tabardctl rotate` gives it others, signed with that one"
            )
        case .keysRefused:
            return Failure(.data, "the board took neither key: it must get both the first time")
        case .unknown:
            return Failure(.inputOutput, "the board could not store the keys; look at its own log")
        default: return Failure(error)
        }
    }
}

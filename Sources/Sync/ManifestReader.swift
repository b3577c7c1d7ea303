import Archive
import BoardLink
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import LogContents

/// Requests a signed manifest over a fresh nonce, verifies its signature, and stores it byte for byte.
struct ManifestReader {
    let client: BoardClient
    let archive: Archive

    /// A verified manifest, and whether the board requires signed commands.
    struct Manifest {
        var statement: LogStatement
        var wantsSignatures: Bool
    }

    /// Trusts the first key that a board presents, and no later one.
    func read(of board: LogIdentity) throws(SyncError) -> Result<Manifest, Withheld> {
        let keys: BoardKeyReport
        let signed: SignedLogStatement
        let nonce = Self.randomNonce()
        do throws(LinkError) {
            keys = try client.keys()
            signed = try client.manifest(nonce: nonce)
        } catch {
            if case .refused = error { return .failure(Withheld(reason: .noManifest)) }
            throw .link(error)
        }
        guard try isKnown(keys, of: board) else { return .failure(Withheld(reason: .otherKey)) }
        guard let statement = Self.statement(signed, nonce: nonce, board: board, key: keys.board) else {
            return .failure(Withheld(reason: .notItsWord))
        }
        do throws(ArchiveError) {
            try archive.record(
                StoredManifest(
                    statement: [UInt8](copying: signed.bytes.span), signature: signed.signature,
                    boardKey: keys.board.x963,
                    receivedAt: client.clock.wallClock), of: board)
        } catch {
            throw .archive(error)
        }
        return .success(
            Manifest(statement: statement, wantsSignatures: keys.operatorFingerprint != nil))
    }

    struct Withheld: Error {
        let reason: Acknowledgement.Reason
    }

    private func isKnown(_ keys: BoardKeyReport, of board: LogIdentity) throws(SyncError) -> Bool {
        do throws(ArchiveError) {
            let known = try archive.keys(of: board)
            let isKnown = known == nil || known?.publicKey == keys.board.x963
            try archive.record(
                StoredBoardKey(
                    BoardKeyring(keys), isVouched: isKnown,
                    shownAt: client.clock.wallClock), of: board)
            return isKnown
        } catch {
            throw .archive(error)
        }
    }

    private static func statement(
        _ signed: SignedLogStatement, nonce: Bytes<16>, board: LogIdentity, key: P256PublicKey
    ) -> LogStatement? {
        do {
            let bytes = signed.bytes
            try key.verify(signed.signature, digest: LogStatement.digest(of: bytes.span))
            let statement = try LogStatement(bytes.span)
            let isOurs =
                statement.nonce == nonce && [UInt8](copying: statement.logIdentity.span) == board.bytes
            return isOurs ? statement : nil
        } catch {
            return nil
        }
    }

    private static func randomNonce() -> Bytes<16> {
        var nonce = Bytes<16>()
        for index in 0..<16 { nonce[index] = UInt8.random(in: 0...255) }
        return nonce
    }
}

extension LogStatement {
    /// True if the fetched segment contains the last page that the board's statement names.
    func matches(_ segment: SegmentContents) -> Bool {
        let last = segment.pages.compactMap(\.head).first { $0.position.byteOffset == head.byteOffset }
        return last?.chainValue == chainValue
    }
}

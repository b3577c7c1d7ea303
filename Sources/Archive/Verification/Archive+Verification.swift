import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory

extension Archive {
    /// Checks all that is stored of a board's log. Nothing is changed.
    ///
    /// - Parameter keys: open sealed pages, whose seals can be checked then; the chain and the signatures need none.
    public func verify(_ board: LogIdentity, keys: OpeningKeys = .none) throws(ArchiveError)
        -> LogVerification
    {
        let manifests = try manifests(of: board)
        // Whoever has never given the board keys takes the one that it first signed with.
        let boardKey = try self.keys(of: board)?.publicKey ?? manifests.first?.boardKey
        var verifier = LogVerifier(
            board: board, boardKey: boardKey.flatMap(P256PublicKey.init(bytes:)),
            manifests: manifests.map { SignedHead($0, board: board, boardKey: boardKey) })
        let openers = keys.atWork()
        let segments = try segments(of: board)
        for segment in segments {
            verifier.add(
                try contents(ofSegment: segment.ordinal, of: board, keys: openers),
                isLast: segment.ordinal == segments.last?.ordinal)
        }
        return verifier.verification()
    }
}

extension SignedHead {
    /// - Parameter boardKey: the only one whose signature counts.
    fileprivate init(_ manifest: StoredManifest, board: LogIdentity, boardKey: Bytes<65>?) {
        guard let statement = LogStatement(manifest), statement.logIdentity == Bytes<16>(board.bytes.span)
        else {
            self.init(head: LogHead(), oldestSegment: 0, isSigned: false)
            return
        }
        let head = LogHead(
            position: LogPosition(
                segmentOrdinal: statement.head.segmentOrdinal, byteOffset: statement.head.byteOffset),
            chainValue: statement.chainValue)
        let isSigned =
            manifest.boardKey == boardKey
            && P256PublicKey(bytes: manifest.boardKey)?.hasSigned(
                LogStatement.digest(of: manifest.statement.span), manifest.signature) == true
        self.init(head: head, oldestSegment: statement.oldestSegmentOrdinal, isSigned: isSigned)
    }
}

extension LogStatement {
    fileprivate init?(_ manifest: StoredManifest) {
        do throws(LogStatementError) { self = try LogStatement(manifest.statement.span) } catch { return nil }
    }
}

extension P256PublicKey {
    fileprivate init?(bytes: Bytes<65>) {
        do throws(CryptographyError) { self = try P256PublicKey(x963: bytes.span) } catch { return nil }
    }

    fileprivate func hasSigned(_ digest: Bytes<32>, _ signature: Bytes<64>) -> Bool {
        do throws(CryptographyError) {
            try verify(signature, digest: digest)
            return true
        } catch {
            return false
        }
    }
}

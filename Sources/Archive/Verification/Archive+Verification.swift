import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import LogContents

extension Archive {
    /// Verifies the stored log of a board without changing it.
    ///
    /// - Parameter keys: decrypt pages, so that their seals can be verified; the chain and the signatures
    ///   need no key.
    public func verify(_ board: LogIdentity, keys: OwnerKeys = .none) throws(ArchiveError)
        -> LogVerification
    {
        let manifests = try manifests(of: board)
        var boardKeys = try keyHistory(of: board)
        // Without a known key, the key of the first manifest is trusted.
        if boardKeys.isEmpty, let first = manifests.first { boardKeys = [StoredBoardKey(first)] }
        let vouched = boardKeys.filter(\.isVouched)
        var verifier = LogVerifier(
            board: board, boardKeys: vouched.compactMap { P256PublicKey(bytes: $0.keyring.publicKey) },
            otherKeys: boardKeys.filter { !$0.isVouched }.compactMap {
                P256PublicKey(bytes: $0.keyring.publicKey)
            },
            manifests: manifests.map { SignedHead($0, board: board, boardKeys: vouched) },
            forgotten: try forgottenPart(of: board))
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

extension StoredBoardKey {
    fileprivate init(_ manifest: StoredManifest) {
        self.init(
            BoardKeyring(publicKey: manifest.boardKey, ownerFingerprint: nil, operatorFingerprint: nil),
            isVouched: true, shownAt: manifest.receivedAt)
    }
}

extension SignedHead {
    /// - Parameter boardKeys: the keys whose signatures count.
    fileprivate init(_ manifest: StoredManifest, board: LogIdentity, boardKeys: [StoredBoardKey]) {
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
            boardKeys.contains { $0.keyring.publicKey == manifest.boardKey }
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

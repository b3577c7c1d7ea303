import Archive
import BoardLink
import Cryptography
import DeviceSync
import FixedMemory
import LogContents

/// Lets a board prove itself before anything about it is stored: it signs a manifest over a fresh nonce.
///
/// Anybody can read a log identity, so anything at a port can claim it. If the archive knows the board's key,
/// only a signature with that key counts, and a refusal is as bad as another key. Any other board is kept
/// apart as untrusted, unless the operator trusts it.
public struct BoardProof {
    /// The signed statement of a board, with the keys that it reported.
    public struct Statement {
        public let keys: BoardKeyReport
        let signed: SignedLogStatement
        let content: LogStatement
        /// When the statement was requested, by this computer's monotonic clock.
        let requestedAt: Instant

        /// True if the board's monotonic clock can show `instant` now, if it showed the statement's time
        /// between the request and now.
        func isPlausible(_ instant: Instant, now: Instant) -> Bool {
            let elapsed = now - requestedAt
            return content.instant <= instant && instant <= content.instant + 2 * elapsed + .seconds(1)
        }
    }

    let client: BoardClient
    let archive: Archive
    let trust: TrustPolicy

    public init(client: BoardClient, archive: Archive, trust: TrustPolicy) {
        self.client = client
        self.archive = archive
        self.trust = trust
    }

    /// Stores nothing.
    public func board() throws(SyncError) -> ProvenBoard {
        let (claimed, boot) = try claim()
        let proof = try statement(of: claimed)
        let (isKnown, knownKey, hasKey) = try storing { () throws(ArchiveError) in
            let isKnown = try archive.isTrusted(claimed)
            return (
                isKnown, isKnown ? try archive.keys(of: claimed)?.publicKey : nil,
                try !archive.keyHistory(of: claimed).isEmpty
            )
        }
        // The archive may have a key that the operator does not trust.
        if isKnown, proof == nil, hasKey {
            throw .impostor(Impostor(claimed: claimed, reason: .noProof))
        }
        if isKnown, let reason = objection(to: proof, knownKey) {
            throw .impostor(Impostor(claimed: claimed, reason: reason))
        }
        return ProvenBoard(
            claimed: claimed, proof: proof,
            isTrusted: isKnown || trust.trusts(newBoardWith: proof?.keys.board.fingerprint),
            bootIdentifier: proof?.content.bootIdentifier ?? boot)
    }

    /// The log identity and the boot by the board's status, or by the index of a board that has no status.
    private func claim() throws(SyncError) -> (LogIdentity, boot: UInt64?) {
        do throws(LinkError) {
            _ = try client.echo()
            let status: BoardStatus
            do throws(LinkError) { status = try client.status() } catch {
                guard case .refused = error else { throw error }
                return (try client.index().board, nil)
            }
            guard let identity = LogIdentity([UInt8](copying: status.logIdentity.span)) else {
                throw .indexUnreadable(port: client.channel.name)
            }
            return (identity, status.bootIdentifier)
        } catch {
            throw .link(error)
        }
    }

    /// Nil for a board without keys.
    private func statement(of claimed: LogIdentity) throws(SyncError) -> Statement? {
        let nonce = Bytes<16>.random()
        let requestedAt = client.channel.now
        let keys: BoardKeyReport
        do throws(LinkError) { keys = try client.keys() } catch {
            guard case .refused = error else { throw .link(error) }
            return nil
        }
        let signed: SignedLogStatement
        do throws(LinkError) { signed = try client.manifest(nonce: nonce) } catch {
            guard case .refused = error else { throw .link(error) }
            throw .impostor(Impostor(claimed: claimed, reason: .noProof))
        }
        guard let content = Self.content(signed, nonce: nonce, board: claimed, key: keys.board) else {
            throw .impostor(Impostor(claimed: claimed, reason: .badSignature))
        }
        return Statement(keys: keys, signed: signed, content: content, requestedAt: requestedAt)
    }

    /// Why the proof is not that of the known board; nil if it is.
    private func objection(to proof: Statement?, _ knownKey: Bytes<65>?) -> Impostor.Reason? {
        guard let proof else { return knownKey == nil ? nil : .noProof }
        if proof.keys.board.x963 == knownKey { return nil }
        let fingerprint = proof.keys.board.fingerprint
        guard !trust.trusts(newKey: fingerprint) else { return nil }
        return knownKey == nil ? .firstKey(fingerprint) : .otherKey(fingerprint)
    }

    private static func content(
        _ signed: SignedLogStatement, nonce: Bytes<16>, board: LogIdentity, key: P256PublicKey
    ) -> LogStatement? {
        do {
            let bytes = signed.bytes
            try key.verify(signed.signature, digest: LogStatement.digest(of: bytes.span))
            let statement = try LogStatement(bytes.span)
            let isOurs =
                statement.nonce == nonce && [UInt8](copying: statement.logIdentity.span) == board.bytes
                && statement.oldestSegmentOrdinal <= statement.head.segmentOrdinal
            return isOurs ? statement : nil
        } catch {
            return nil
        }
    }
}

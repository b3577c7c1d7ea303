import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import LogContents

/// The statement of a manifest about the end of a log, before its signature is checked.
struct ManifestHead {
    let head: LogHead
    let oldestSegment: UInt32
    /// When the board made the statement, by its own clock.
    let moment: LogHole.Moment
    private let manifest: StoredManifest

    /// Nil if the statement cannot be read, or names another log.
    init?(_ manifest: StoredManifest, board: LogIdentity) {
        let statement: LogStatement
        do throws(LogStatementError) {
            statement = try LogStatement(manifest.statement.span)
        } catch { return nil }
        guard statement.logIdentity == Bytes<16>(board.bytes.span) else { return nil }
        head = LogHead(
            position: LogPosition(
                segmentOrdinal: statement.head.segmentOrdinal, byteOffset: statement.head.byteOffset),
            chainValue: statement.chainValue)
        oldestSegment = statement.oldestSegmentOrdinal
        moment = LogHole.Moment(boot: statement.bootIdentifier, instant: Instant(logged: statement.instant))
        self.manifest = manifest
    }

    /// Checks the signature.
    ///
    /// - Parameter boardKeys: the keys whose signatures count.
    func checked(by boardKeys: [StoredBoardKey]) -> SignedHead {
        let signer = boardKeys.firstIndex { $0.keyring.publicKey == manifest.boardKey }
        let isSigned =
            signer != nil
            && P256PublicKey(bytes: manifest.boardKey)?.hasSigned(
                LogStatement.digest(of: manifest.statement.span), manifest.signature) == true
        return SignedHead(
            head: head, oldestSegment: oldestSegment, isSigned: isSigned, signer: signer ?? 0)
    }
}

extension SignedHead {
    /// The head of a manifest that cannot be read.
    static var unreadable: Self { Self(head: LogHead(), oldestSegment: 0, isSigned: false) }
}

extension P256PublicKey {
    init?(bytes: Bytes<65>) {
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

import Archive
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import LogContents

extension StoredManifest {
    /// The manifest that a board signs with this end of its log.
    init(
        _ head: LogHead, oldest: UInt32 = 0, of board: LogIdentity, by key: TestKey, boot: UInt64 = 0,
        at instant: Instant = .start
    ) throws {
        var statement = LogStatement()
        statement.logIdentity = Bytes<16>(board.bytes.span) ?? Bytes()
        statement.bootIdentifier = boot
        statement.oldestSegmentOrdinal = oldest
        statement.head = SyncPosition(
            segmentOrdinal: head.position.segmentOrdinal, byteOffset: head.position.byteOffset)
        statement.chainValue = head.chainValue
        statement.instant = instant
        let bytes = [UInt8](copying: statement.encoded.span)
        var signer = try P256PrivateKey(scalar: key.scalar, entropy: .system)
        self.init(
            statement: bytes,
            signature: try signer.sign(digest: LogStatement.digest(of: bytes.span), entropy: .system),
            boardKey: key.publicHalf.x963, receivedAt: noon)
    }
}

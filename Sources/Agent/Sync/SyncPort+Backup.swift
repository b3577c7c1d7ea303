import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import Schemes

/// Copies of the secrets behind the board's identities.
extension SyncPort {
    /// Hands out a copy of a scheme's secrets, which the server seals for the board's owner.
    /// - Parameters:
    ///   - number: the scheme's number in a log entry.
    ///   - context: bytes of the client.
    @inline(never)
    mutating func backUp(
        _ number: UInt8, _ context: Bytes<32>, of board: inout P.Board, keys: BoardKeys, random: P.Randomness
    ) {
        let (owner, operatorKey) = (keys.publicHalves.ownerKey, keys.publicHalves.operatorKey)
        var contents = BackupContents()
        contents.scheme = number
        contents.context = context
        contents.configuration = view.configurationDigest
        contents.owner = owner?.fingerprint ?? Bytes()
        contents.operatorKey = operatorKey?.fingerprint ?? Bytes()
        var record = FixedBuffer<2048>()
        defer { record.wipe() }
        if let scheme = SchemeCode(rawValue: number).id {
            if board.copySecrets(of: scheme, to: &record) {
                contents.state = record.isEmpty ? .none : .sealed
            } else {
                contents.state = .unreadable
            }
        }
        server.backUp(
            record.span, contents, for: owner, boardScalar: keys.boardScalar, entropy: random.entropy)
    }
}

import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import Schemes

/// Copies of the secrets behind the board's identities.
extension SyncPort {
    /// Hands out a copy of a scheme's secrets, which the server seals for the board's owner.
    /// - Parameter number: the scheme's number in a log entry, or 0.
    @inline(never)
    mutating func backUp(_ number: UInt8, of board: inout P.Board, keys: BoardKeys, random: P.Randomness) {
        var record: FixedBuffer<2048>? = FixedBuffer()
        if let scheme = SchemeCode(rawValue: number).id { record = board.secretRecord(of: scheme) }
        defer { record?.wipe() }
        let contents = BackupContents(scheme: number, configuration: view.configurationDigest)
        server.backUp(
            record, contents, for: keys.publicHalves.ownerKey, boardScalar: keys.boardScalar,
            entropy: random.entropy)
    }
}

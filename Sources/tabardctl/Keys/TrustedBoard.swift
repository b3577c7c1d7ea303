import Archive
import BoardLink
import CommandLineText
import DeviceSync
import FixedMemory
import LogContents
import Sync

/// A board that has proved its key, which the archive or the operator trusts.
struct TrustedBoard {
    let log: LogIdentity
    let keys: BoardKeyReport

    var logIdentity: Bytes<16> { Bytes<16>(log.bytes) ?? Bytes() }

    /// Has the board at the port prove its key.
    /// - Parameter withoutKey: why a board without a key of its own cannot be used, and what to do instead.
    init(
        _ client: BoardClient, knownTo archive: Archive, trust: TrustPolicy, withoutKey: String
    ) throws(Failure) {
        let board: ProvenBoard
        do throws(SyncError) {
            board = try BoardProof(client: client, archive: archive, trust: trust).board()
        } catch {
            throw Failure(error, hasBegun: false)
        }
        guard let keys = board.proof?.keys else {
            throw Failure(.noPermission, "the board has no key of its own, so \(withoutKey)")
        }
        let fingerprint = keys.board.fingerprintText
        guard board.isTrusted else {
            throw Failure(
                .noPermission,
                "the archive does not know this board, whose key is \(fingerprint); compare the fingerprint "
                    + "with that of `tabard status` or the board's label, and give --trust \(fingerprint)")
        }
        log = board.claimed
        self.keys = keys
    }
}

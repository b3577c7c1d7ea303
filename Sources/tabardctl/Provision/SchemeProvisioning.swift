import Archive
import BoardLink
import CommandLineText
import Cryptography
import FixedMemory
import Schemes
import Sync

/// Gives a board the source of its identities in a scheme, and switches the scheme on.
struct SchemeProvisioning {
    let scheme: SchemeID
    let client: BoardClient

    /// The key and the log identity that the board at the port has proved, to seal secrets for it.
    struct Recipient {
        let boardKey: P256PublicKey
        let logIdentity: Bytes<16>
    }

    /// Checks that a board answers in our protocol.
    func reach() throws(Failure) {
        do throws(LinkError) { _ = try client.echo() } catch { throw Failure(error) }
    }

    /// Has the board prove its key before it gets secrets. The archive must trust that key.
    func recipient(knownTo archive: Archive, trust: TrustPolicy) throws(Failure) -> Recipient {
        let board: ProvenBoard
        do throws(SyncError) {
            board = try BoardProof(client: client, archive: archive, trust: trust).board()
        } catch {
            throw Failure(error, hasBegun: false)
        }
        guard let keys = board.proof?.keys, let identity = Bytes<16>(board.claimed.bytes.span) else {
            throw Failure(
                .noPermission,
                "the board has no key of its own, so its keys would travel in clear; use --output, and put the "
                    + "file on the board")
        }
        let fingerprint = keys.board.fingerprintText
        guard board.isTrusted else {
            throw Failure(
                .noPermission,
                "the archive does not know this board, whose key is \(fingerprint); compare the fingerprint "
                    + "with that of `tabard status` or the board's label, and give --trust \(fingerprint)")
        }
        return Recipient(boardKey: keys.board, logIdentity: identity)
    }

    /// - Parameters:
    ///   - record: the record that the board stores; nil if its identities are random.
    ///   - recipient: the board for which the record is sealed.
    ///   - isSwitchedOn: whether to set the scheme to "on" in the board's configuration.
    func give(_ record: SchemeRecord?, to recipient: Recipient?, isSwitchedOn: Bool) throws(Failure) {
        var restarts = false
        do throws(LinkError) {
            if let record, let recipient {
                restarts = try client.provision(
                    record.bytes, boardKey: recipient.boardKey, logIdentity: recipient.logIdentity)
                Console.print("\(scheme.name): the board stored \(record.text)")
            }
        } catch {
            throw Failure(error, saidBy: client, nothing: "was stored")
        }
        if let key = scheme.configurationKey, isSwitchedOn {
            do throws(LinkError) {
                restarts = try client.configure(["\(key)=on"])
                Console.print("\(scheme.name): set \(key)=on")
            } catch {
                if record != nil {
                    Console.report("tabardctl: the board stored the record, but \(key) is not on")
                }
                throw Failure(error, saidBy: client, nothing: "was set")
            }
        }
        Console.print(
            restarts
                ? "the board restarts its agent and applies the change within a second"
                : "the board applies the change at the next start of its agent")
    }
}

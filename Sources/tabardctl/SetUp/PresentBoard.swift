import BoardLink
import CommandLineText
import Configuration
import DeviceSync
import FixedMemory
import KeyFiles
import LogContents

/// A board as it is before it is set up.
struct PresentBoard {
    let port: String
    let log: LogIdentity
    let status: BoardStatus
    let configuration: EffectiveConfiguration
    /// The keys that its agent got on the command line; nobody can set them over the cable.
    let fixedKeys: Set<String>
    /// Nil for a board without storage for keys.
    let keys: BoardKeyReport?

    init(_ port: String, baud: UInt32) throws(Failure) {
        let client = try BoardPorts.open(port, baud: baud)
        let listing: [UInt8]
        do throws(LinkError) {
            _ = try client.echo()
            status = try client.status()
            log = try client.index().board
            listing = try client.configuration()
            keys = try Self.keys(of: client)
        } catch {
            throw Failure(error)
        }
        var configuration = EffectiveConfiguration()
        do throws(ConfigurationError) { try configuration.read(listing.span) } catch {
            throw Failure(
                .data, "\(port): this tabardctl cannot read the board's configuration: \(error.line)")
        }
        self.configuration = configuration
        fixedKeys = ConfigurationListing(String(decoding: listing, as: UTF8.self)).commandLineKeys
        self.port = port
    }

    private static func keys(of client: BoardClient) throws(LinkError) -> BoardKeyReport? {
        do throws(LinkError) { return try client.keys() } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    /// Shows the keys that the board is about to get, if it has none.
    func reportNewKeys(_ atHand: SetupKeys.AtHand?) {
        guard let atHand, keys?.operatorFingerprint == nil else { return }
        Console.report("  owner      \(atHand.ownerKey.fingerprintText)")
        Console.report("  operator   \(atHand.operatorKey.fingerprintText)")
    }

    /// Refuses to set up a board of another operator.
    func checkOwner(_ atHand: SetupKeys.AtHand?) throws(Failure) {
        guard let fingerprint = keys?.operatorFingerprint else { return }
        let text = Fingerprint.text(fingerprint)
        guard let atHand else {
            throw Failure(
                .noPermission, "\(port): the board has the operator key \(text); leave out --without-keys")
        }
        guard atHand.operatorKey.fingerprint == fingerprint else {
            throw Failure(
                .noPermission,
                "\(port): the board belongs to the operator key \(text), not to that of "
                    + "\(atHand.operatorFile); name the folder with its keys with --keys")
        }
    }
}

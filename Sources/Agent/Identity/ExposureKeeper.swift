import Cryptography
import HCI
import Protocols
import Schemes

/// Decides who we are in Exposure Notification. A day's key is random and only in memory: our log has it,
/// sealed to its owner.
struct ExposureKeeper {
    /// Identifier and address last for twelve minutes, within the 10 to 20 that phones take: the end of
    /// each is one of Herald's six minutes, too, and so of all other schemes', and of the day. The
    /// identifier is that of the interval in which it begins.
    static let periodSeconds: UInt64 = 720

    private var maker: ExposureNotificationMaker
    private var period: UInt64?
    private(set) var broadcast: ExposureBroadcast?

    init(txPowerDBm: Int8, entropy: Entropy) {
        maker = ExposureNotificationMaker(
            metadata: AssociatedMetadata(
                majorVersion: 1, minorVersion: 0, calibrationConfidence: 0, txPowerDBm: txPowerDBm),
            entropy: entropy)
    }

    var key: TemporaryExposureKey? { maker.key }

    /// - Parameter seconds: since 1970; nil while nobody knows: then we are nobody.
    mutating func advance(at seconds: UInt64?, random: inout some RandomSource) {
        guard let seconds else {
            period = nil
            broadcast = nil
            return
        }
        let wanted = seconds / Self.periodSeconds
        guard wanted != period else { return }
        period = nil
        broadcast = nil
        // What fails is tried again, a second later.
        guard let new = try? ExposureNotification.identity(at: seconds, by: &maker) else { return }
        period = wanted
        broadcast = ExposureBroadcast(address: .nonResolvable(seed: random.next()), identity: new.identity)
    }
}

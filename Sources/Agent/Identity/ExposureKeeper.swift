import Cryptography
import HCI
import Protocols
import Schemes

/// Decides the board's identity in Exposure Notification. A day's key is random. It is only in memory, and
/// encrypted in the log.
struct ExposureKeeper {
    /// Identifier and address last for twelve minutes; phones change theirs after 10 to 20. Twelve minutes
    /// are two of Herald's periods and divide the hour and the day. The identifier is that of the interval in
    /// which it begins.
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

    /// - Parameter seconds: since 1970; nil while the time is unknown: then the board has no identity.
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
        // The first period began before the start. With the identifier of the start, the next period could
        // have the same one under another address. After a failure the next call tries again, a second later.
        guard let new = try? ExposureNotification.identity(at: wanted * Self.periodSeconds, by: &maker) else {
            return
        }
        period = wanted
        broadcast = ExposureBroadcast(address: .nonResolvable(seed: random.next()), identity: new.identity)
    }
}

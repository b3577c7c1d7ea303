import FixedMemory
import HCI
import Schemes

/// A phone in its owner's pocket that advertises Exposure Notification, as phones do: a key a day, an identifier for ten
/// minutes, and with each another address.
public final class ExposurePhone: Station {
    private let epochSeconds: UInt64
    private let metadata = AssociatedMetadata(
        majorVersion: 1, minorVersion: 0, calibrationConfidence: 3, txPowerDBm: -20)
    private var random: RandomStream
    private var interval: ExposureNotificationInterval?
    /// Of all days so far.
    public private(set) var keys: [TemporaryExposureKey] = []

    private static let advertisingInterval = SimulatedDuration.milliseconds(270)

    /// - Parameter epochSeconds: what time it is when the world begins, since 1970.
    public init(_ name: String, epochSeconds: UInt64, at route: Route, in world: World) {
        self.epochSeconds = epochSeconds
        random = world.random("exposure phone \(name)")
        super.init(name, at: route, in: world)
        renew()
        if let advertisement { advertise(advertisement, every: Self.advertisingInterval) }
    }

    override func prepareAdvert() { renew() }

    private func renew() {
        let seconds = epochSeconds + world.now.microseconds / 1_000_000
        guard let now = try? ExposureNotificationInterval(containing: seconds), now != interval,
            let key = key(at: now), var rolling = try? RollingKeys(key),
            let identifier = try? rolling.identifier(of: now),
            let encrypted = try? rolling.encrypt(metadata, with: identifier)
        else { return }
        interval = now
        let advert = ExposureNotificationIdentity(identifier: identifier, metadata: encrypted).advert
        advertise(
            Advertisement(
                address: DeviceAddress(value: random.next() & 0x3fff_ffff_ffff, isRandom: true),
                kind: .nonConnectable, data: advert.span.indices.map { advert[$0] }),
            every: advertisingInterval)
    }

    private func key(at interval: ExposureNotificationInterval) -> TemporaryExposureKey? {
        if let last = keys.last, last.covers(interval) { return last }
        let start = interval.number - interval.number % TemporaryExposureKey.intervalsPerDay
        let bytes = random.bytes(16)
        guard let data = Bytes<16>(bytes.span),
            let fresh = try? TemporaryExposureKey(
                data: data, rollingStart: ExposureNotificationInterval(number: start))
        else { return nil }
        keys.append(fresh)
        return fresh
    }
}

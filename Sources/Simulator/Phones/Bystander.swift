import FlashSimulator
import HCI

/// A bystander: a device that only advertises, and that no board may count as a participant.
public final class Bystander: Station {
    public enum Kind: Sendable, CaseIterable {
        case earphones, television, gadget
        /// Exposure Notification, with a new address and identifier every 10 to 20 minutes.
        case exposureNotification
        /// A new address and different invalid data with each advert.
        case hostile
    }

    public let kind: Kind
    private var random: RandomStream
    private var renewAt = SimulatedTime.never

    public init(
        _ name: String, _ kind: Kind, every interval: SimulatedDuration? = nil, at route: Route,
        in world: World
    ) {
        self.kind = kind
        random = world.random("passer \(name)")
        super.init(name, at: route, in: world)
        renew()
        if let advertisement { advertise(advertisement, every: interval ?? Self.interval(kind)) }
    }

    private static func interval(_ kind: Kind) -> SimulatedDuration {
        switch kind {
        case .earphones: .milliseconds(152)
        case .television: .milliseconds(1_022)
        case .gadget: .milliseconds(2_000)
        case .exposureNotification: .milliseconds(270)
        case .hostile: .milliseconds(300)
        }
    }

    override func prepareAdvert() {
        if kind == .hostile || world.now >= renewAt { renew() }
    }

    private func renew() {
        let address: DeviceAddress
        let data: [UInt8]
        switch kind {
        case .earphones: (address, data) = (.staticRandom(seed: random.next()), FieldAdverts.earphones)
        case .television: (address, data) = (changingAddress(), FieldAdverts.television)
        case .gadget:
            (address, data) = (
                DeviceAddress(value: random.next(), isRandom: false),
                FieldAdverts.named("gadget \(random.below(1_000))")
            )
        case .exposureNotification:
            (address, data) = (changingAddress(), FieldAdverts.exposureNotification(&random))
        case .hostile: (address, data) = (changingAddress(), FieldAdverts.hostile(&random))
        }
        switch kind {
        case .earphones, .gadget: renewAt = .never
        default: renewAt = world.now + .minutes(10) + random.duration(upTo: .minutes(10))
        }
        let connects = kind == .earphones || kind == .television
        advertise(
            Advertisement(address: address, kind: connects ? .connectable : .nonConnectable, data: data),
            every: advertisingInterval)
    }

    private func changingAddress() -> DeviceAddress {
        DeviceAddress(value: random.next() & 0x3fff_ffff_ffff, isRandom: true)
    }
}

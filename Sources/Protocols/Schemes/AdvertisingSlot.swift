import FixedMemory
import GATT
import Peers
import Schemes

/// The content of one advertising slot. Every connectable advert has Herald's 16-bit service, and has room
/// for one 128-bit service beside it. CovidTracer's phones look for no service: they connect to any device
/// near by. Exposure Notification has adverts of its own, not connectable, under an address of their own.
public struct AdvertisingSlot: BitwiseCopyable, Equatable, Sendable {
    /// The scheme whose 128-bit service is advertised; nil for Herald's former service.
    public let scheme: SchemeID?
    /// Whether Herald's 16-bit service is advertised.
    public let isHerald: Bool
    /// The only content of the advert, if not nil.
    public let exposure: ExposureNotificationIdentity?

    /// The length of a slot. The scan intervals of phones (4.096 s and 5.12 s) are not multiples of it, so no
    /// phone hears the same slot for ever.
    public static let length = Interval.milliseconds(1_500)

    public init(scheme: SchemeID? = nil, isHerald: Bool) {
        self.scheme = scheme
        self.isHerald = isHerald
        exposure = nil
    }

    public init(_ exposure: ExposureNotificationIdentity) {
        scheme = nil
        isHerald = false
        self.exposure = exposure
    }

    /// Herald's services alone.
    public static var herald: AdvertisingSlot { AdvertisingSlot(isHerald: true) }

    var service: BluetoothUUID? {
        scheme.flatMap { SchemeService(of: $0)?.service } ?? (isHerald ? HeraldService.legacy : nil)
    }
}

/// The schemes that share the connectable adverts, one in each slot: those in which we have an identity.
public struct AdvertisingSlots: BitwiseCopyable, Equatable, Sendable {
    public let isHerald: Bool
    private var isSonar: Bool
    private var isProximity: Bool

    public init(isHerald: Bool, _ own: OwnSchemes) {
        self.isHerald = isHerald
        isSonar = !own[.sonar].isEmpty
        isProximity = !own[.bleProximity].isEmpty
    }

    private var count: UInt64 { (isHerald ? 1 : 0) + (isSonar ? 1 : 0) + (isProximity ? 1 : 0) }

    /// Whether more than one scheme has a slot.
    public var areSeveral: Bool { count > 1 }

    /// Whether a scheme shares the slots with schemes that come before it.
    public func isBesideOthers(_ scheme: SchemeID) -> Bool {
        switch scheme {
        case .sonar: isSonar && isHerald
        case .bleProximity: isProximity && (isHerald || isSonar)
        case .herald, .covidTracer, .exposureNotification, .robert, .dp3t, .tcn: false
        }
    }

    /// Removes a scheme that is advertised in another way.
    public mutating func remove(_ scheme: SchemeID) {
        switch scheme {
        case .sonar: isSonar = false
        case .bleProximity: isProximity = false
        case .herald, .covidTracer, .exposureNotification, .robert, .dp3t, .tcn: break
        }
    }

    /// The slot at this time.
    @inline(never)
    public func slot(at now: Instant, lasting length: Interval = AdvertisingSlot.length) -> AdvertisingSlot {
        let count = count
        guard count > 1 || !isHerald else { return .herald }
        var place = now / length % max(count, 1)
        if isHerald {
            if place == 0 { return .herald }
            place -= 1
        }
        let scheme: SchemeID? = isSonar && place == 0 ? .sonar : isProximity ? .bleProximity : nil
        return AdvertisingSlot(scheme: scheme, isHerald: isHerald)
    }
}

import FixedMemory
import GATT
import Peers
import Schemes

/// What adverts say in turn. Connectable ones say Herald's 16-bit service each of them, and beside it, for there is room for one
/// more, one 128-bit service. Phones of CovidTracer look for none: they connect to whoever is near. Exposure Notification's are
/// adverts of their own, under an address of their own, that nobody can connect to.
public struct AdvertisingSlot: BitwiseCopyable, Equatable, Sendable {
    /// Whose 128-bit service is said; nil: Herald's of before.
    public let scheme: SchemeID?
    /// Whether Herald's 16-bit service is.
    public let isHerald: Bool
    /// Nothing but this is said.
    public let exposure: ExposureNotificationIdentity?

    /// A turn's length. No whole part of the time from one scan to the next of phones in any of their modes (4.096 s and
    /// 5.12 s), so nobody hears the same turn for ever.
    public static let milliseconds: UInt64 = 1_500

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

    /// Herald's alone.
    public static var herald: AdvertisingSlot { AdvertisingSlot(isHerald: true) }

    var service: BluetoothUUID? {
        scheme.flatMap { SchemeService(of: $0)?.service } ?? (isHerald ? HeraldService.legacy : nil)
    }
}

/// Those who take turns: to whom we are somebody.
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

    /// Whether there are turns at all.
    public var areSeveral: Bool { count > 1 }

    /// Whether a scheme takes turns with others that come before it.
    public func isBesideOthers(_ scheme: SchemeID) -> Bool {
        switch scheme {
        case .sonar: isSonar && isHerald
        case .bleProximity: isProximity && (isHerald || isSonar)
        case .herald, .covidTracer, .exposureNotification, .robert, .dp3t, .tcn: false
        }
    }

    /// It is said some other way.
    public mutating func remove(_ scheme: SchemeID) {
        switch scheme {
        case .sonar: isSonar = false
        case .bleProximity: isProximity = false
        case .herald, .covidTracer, .exposureNotification, .robert, .dp3t, .tcn: break
        }
    }

    /// Whose turn it is.
    @inline(never)
    public func turn(
        atMilliseconds now: UInt64, lasting milliseconds: UInt64 = AdvertisingSlot.milliseconds
    ) -> AdvertisingSlot {
        let count = count
        guard count > 1 || !isHerald else { return .herald }
        var place = now / milliseconds % max(count, 1)
        if isHerald {
            if place == 0 { return .herald }
            place -= 1
        }
        let scheme: SchemeID? = isSonar && place == 0 ? .sonar : isProximity ? .bleProximity : nil
        return AdvertisingSlot(scheme: scheme, isHerald: isHerald)
    }
}

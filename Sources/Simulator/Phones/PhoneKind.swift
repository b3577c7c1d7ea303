/// What phones of a kind have in common.
public struct PhoneKind: Sendable {
    /// What a board finds when it looks.
    public enum Services: Sendable { case current, legacy, both, none }

    public enum Manner: Sendable {
        case polite
        /// Takes packets in and says nothing.
        case mute
        /// Walks out of reach in the middle of being read, and comes back half a minute later.
        case vanishing
    }

    public var name: String
    /// Nil: it does not advertise.
    public var advert: [UInt8]? = FieldAdverts.android
    public var advertisingInterval = SimulatedDuration.milliseconds(250)
    public var services = Services.current
    /// Hosts the signal characteristic of iPhones, not that of Android phones.
    public var isIPhone = false
    public var manner = Manner.polite
    /// Looks for boards and reads their payload, each once in this time; nil: never.
    public var readsBoardsEvery: SimulatedDuration? = .minutes(10)
    /// Writes its payload and how near it hears the board, as phones do that cannot advertise.
    public var writesSignals = false
    /// Changes its address so often.
    public var addressLifetime: SimulatedDuration?
    /// And has a new payload each time.
    public var changesPayload = false
    public var maximumMTU: UInt16 = 517
    public var connectionInterval = SimulatedDuration.milliseconds(30)

    public init(name: String) { self.name = name }

    private static func kind(_ name: String, _ change: (inout PhoneKind) -> Void = { _ in }) -> PhoneKind {
        var kind = PhoneKind(name: name)
        change(&kind)
        return kind
    }

    public static let android = kind("Android")
    public static let legacy = kind("legacy Android") {
        $0.advert = FieldAdverts.legacy
        $0.services = .legacy
    }
    public static let backgroundIPhone = kind("iPhone in the background") {
        $0.advert = FieldAdverts.overflow
        $0.services = .both
        $0.isIPhone = true
    }
    public static let otherIPhone = kind("iPhone with other apps") {
        $0.advert = FieldAdverts.overflow
        $0.services = .none
        $0.readsBoardsEvery = nil
    }
    public static let writer = kind("phone that cannot advertise") {
        $0.advert = nil
        $0.writesSignals = true
        $0.readsBoardsEvery = .seconds(20)
    }
    public static let rotating = kind("phone with changing addresses") { $0.addressLifetime = .minutes(6) }
    public static let renewing = kind("phone with changing addresses and payloads") {
        $0.addressLifetime = .minutes(6)
        $0.changesPayload = true
    }
    public static let mute = kind("mute phone") {
        $0.manner = .mute
        $0.readsBoardsEvery = nil
    }
    public static let vanishing = kind("phone that walks away") {
        $0.manner = .vanishing
        $0.readsBoardsEvery = nil
    }
    public static let slow = kind("slow phone with a small MTU") {
        $0.maximumMTU = 23
        $0.connectionInterval = .milliseconds(200)
    }

    public static let all = [
        android, legacy, backgroundIPhone, otherIPhone, writer, rotating, renewing, mute, vanishing, slow,
    ]
}

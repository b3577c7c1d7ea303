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

    /// Since version 2.1, and before.
    public enum PseudoAddressForm: Sendable { case current, legacy }

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
    /// And now and then whom else it has heard, and a message.
    public var sendsMessages = false
    /// What it writes it cuts into writes of 20 bytes, with no header, whatever the MTU, as Android phones do. Otherwise it
    /// writes whole messages: what does not fit the MTU becomes prepared writes.
    public var cutsSignals = false
    /// Its adverts have a pseudo device address: behind the current manufacturer identifier and service, or the older ones.
    public var pseudoAddress: PseudoAddressForm?
    /// Changes that so often, and its address with it.
    public var pseudoAddressLifetime = SimulatedDuration.minutes(20)
    /// Says its model and its maker to whoever asks.
    public var saysModel = false
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

    /// As phones whose addresses last for seconds.
    public static let restless = kind("restless phone") {
        $0.pseudoAddress = .current
        $0.addressLifetime = .seconds(7)
    }
    public static let restlessLegacy = kind("restless legacy phone") {
        $0.services = .legacy
        $0.pseudoAddress = .legacy
        $0.addressLifetime = .seconds(100)
    }
    public static let fragmenting = kind("phone that writes fragments") {
        $0.advert = nil
        $0.writesSignals = true
        $0.sendsMessages = true
        $0.cutsSignals = true
        $0.readsBoardsEvery = .seconds(25)
    }
    public static let preparing = kind("phone that prepares writes") {
        $0.advert = nil
        $0.writesSignals = true
        $0.sendsMessages = true
        $0.maximumMTU = 23
        $0.readsBoardsEvery = .seconds(35)
    }
    public static let named = kind("phone that says its model") { $0.saysModel = true }
    /// Comes every few seconds, and takes its time: so several are linked with a board at once.
    public static let frequent = kind("phone that comes often") {
        $0.maximumMTU = 23
        $0.connectionInterval = .milliseconds(300)
        $0.readsBoardsEvery = .seconds(5)
    }

    /// Of which any may be in any room.
    public static let all = [
        android, legacy, backgroundIPhone, otherIPhone, writer, rotating, renewing, mute, vanishing, slow,
    ]
    /// Those that ``WorldOption``s bring.
    public static let guests = [restless, restlessLegacy, fragmenting, preparing, named, frequent]
}

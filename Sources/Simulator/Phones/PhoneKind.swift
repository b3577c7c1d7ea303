/// The common properties of all phones of one kind.
public struct PhoneKind: Sendable {
    /// The Herald services that a board finds on the phone.
    public enum Services: Sendable { case current, legacy, both, none }

    public enum Manner: Sendable {
        case polite
        /// Receives packets and never answers.
        case mute
        /// Leaves the radio range while it is being read, and comes back half a minute later.
        case vanishing
    }

    /// The form since version 2.1, and the one before.
    public enum PseudoAddressForm: Sendable { case current, legacy }

    public var name: String
    /// The advert's data; nil if the phone does not advertise.
    public var advert: [UInt8]? = FieldAdverts.android
    public var advertisingInterval = SimulatedDuration.milliseconds(250)
    public var services = Services.current
    /// Whether it has the signal characteristic of iPhones, not that of Android phones.
    public var isIPhone = false
    public var manner = Manner.polite
    /// The interval at which the phone looks for boards and reads each one's payload once; nil for never.
    public var readsBoardsEvery: SimulatedDuration? = .minutes(10)
    /// Whether the scan starts anew at a random moment after a board has not answered a connection request.
    /// The air gives a board to the first of the phones that answer the same advert. A phone that stays in
    /// step with another would lose to it each time, although real requests collide, and real scans drift.
    public var shiftsScan = false
    /// Whether it writes its payload and its RSSI of the board, as phones do that cannot advertise.
    public var writesSignals = false
    /// Whether it also writes shared payloads and a message now and then.
    public var sendsMessages = false
    /// Whether it splits signals into writes of 20 bytes without a header, whatever the MTU, as Android
    /// phones do. Otherwise it writes whole messages, and uses prepared writes for those that exceed the
    /// MTU.
    public var cutsSignals = false
    /// The form of the pseudo device address in its adverts: with the current manufacturer identifier and
    /// service, or the older ones.
    public var pseudoAddress: PseudoAddressForm?
    /// How long it keeps a pseudo device address. It changes its address at the same time.
    public var pseudoAddressLifetime = SimulatedDuration.minutes(20)
    /// Whether its model and manufacturer can be read.
    public var saysModel = false
    /// How long it keeps an address.
    public var addressLifetime: SimulatedDuration?
    /// Whether it gets a new payload with each address.
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

    /// Phones with addresses that last only for seconds.
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
    /// Connects every few seconds and takes its time, so that several such phones have links with a board
    /// together.
    public static let frequent = kind("phone that comes often") {
        $0.maximumMTU = 23
        $0.connectionInterval = .milliseconds(300)
        $0.readsBoardsEvery = .seconds(5)
    }

    /// Reads a board within the second phase of a run, although other phones look for it in the same moments.
    static let witness = kind("witness") { $0.shiftsScan = true }

    /// The kinds that may occur in any room.
    public static let all = [
        android, legacy, backgroundIPhone, otherIPhone, writer, rotating, renewing, mute, vanishing, slow,
    ]
    /// The kinds that ``WorldOption``s bring.
    public static let guests = [restless, restlessLegacy, fragmenting, preparing, named, frequent]
}

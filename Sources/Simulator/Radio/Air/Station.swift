import FlashSimulator
import HCI

/// Anything with an antenna: it may advertise, listen, and have links.
open class Station: Inhabitant {
    public let name: String
    public var route: Route
    public var powerDBm = 0.0
    /// Switched off, or not there: neither sends nor hears.
    public private(set) var isPresent = true
    /// Whom it listens to while it scans. Phones look for boards only, which keeps crowds cheap.
    var hearsOnlyBoards: Bool { true }
    var isBoard: Bool { false }

    public private(set) var advertisement: Advertisement?
    private(set) var advertisingInterval = SimulatedDuration.milliseconds(250)
    var scanning: Scanning? { didSet { air.listeningChanged(self, wasListening: oldValue != nil) } }
    public internal(set) var links: [AirLink] = []
    public internal(set) var airUse = AirUse()
    /// Sends every advert though nobody may be there to hear it: for ``airUse`` to be true in an empty room.
    public var advertisesUnheard = false

    /// Nobody listens, so no time is spent on advertising.
    var isDormant = false
    private var nextAdvert = SimulatedTime.never
    private var packetOnTheAir: PacketOnTheAir?
    private var jitter: RandomStream
    let air: Air

    enum Alarm {
        static let advertise: UInt32 = 0
        static let packetEnds: UInt32 = 1
        /// Subclasses count on from here.
        static let first: UInt32 = 16
    }

    public init(_ name: String, at route: Route, in world: World) {
        self.name = name
        self.route = route
        air = world.air
        jitter = world.random("advertising of \(name)")
        super.init(in: world)
    }

    public func place() -> Position { route.place(at: world.now) }

    /// Comes, or goes without a word.
    public func setPresent(_ isPresent: Bool) {
        guard isPresent != self.isPresent else { return }
        self.isPresent = isPresent
        packetOnTheAir = nil
        if isPresent { scheduleAdvert() } else { links.removeAll() }
    }

    /// Goes, and does not come back. Its memory is free when nobody else holds it.
    public func leaveForGood() {
        for link in links { link.forget(by: self) }
        stopAdvertising()
        scanning = nil
        setPresent(false)
        air.forget(self)
        world.remove(self)
    }

    // MARK: Advertising

    /// From now on, or with other data.
    public func advertise(_ advertisement: Advertisement, every interval: SimulatedDuration) {
        let wasOff = self.advertisement == nil
        self.advertisement = advertisement
        advertisingInterval = interval
        if wasOff { scheduleAdvert() }
    }

    public func stopAdvertising() {
        advertisement = nil
        nextAdvert = .never
    }

    /// The first of a row of adverts comes at any moment of an interval.
    func scheduleAdvert() {
        isDormant = false
        guard isPresent, advertisement != nil else { return }
        nextAdvert = world.now + jitter.duration(upTo: advertisingInterval)
        setAlarm(Alarm.advertise, at: nextAdvert)
    }

    /// Source: Bluetooth Core 5.4, Vol 6, Part B, 4.4.2.2: each interval is up to 10 ms longer than asked for.
    private func advertiseOnce() {
        guard isPresent, nextAdvert == world.now else { return }
        nextAdvert = .never
        prepareAdvert()
        guard let advertisement else { return }
        airUse.note(advertisement)
        let audience = air.broadcast(advertisement, from: self)
        switch advertisesUnheard ? .listenersInReach : audience {
        case .listenersInReach:
            nextAdvert =
                world.now + advertisingInterval + jitter.duration(upTo: .milliseconds(10))
        case .listenersOutOfReach:
            nextAdvert = world.now + max(advertisingInterval, .seconds(1))
        case .nobodyListens:
            air.sleep(self)
            return
        }
        setAlarm(Alarm.advertise, at: nextAdvert)
    }

    // MARK: Listening

    struct PacketOnTheAir {
        let advertisement: Advertisement
        let sender: Station
        let end: SimulatedTime
        let rssiDBm: Double
        var isLost = false
    }

    /// A packet begins to arrive on the channel listened on. Two at once: the louder survives if it is much louder.
    @inline(__always)
    func arrives(_ packet: PacketOnTheAir, at begin: SimulatedTime) {
        if let other = packetOnTheAir, other.end > begin {
            let capture = air.propagation.captureDB
            air.collisionCount &+= 1
            if other.rssiDBm >= packet.rssiDBm + capture { return }
            if packet.rssiDBm < other.rssiDBm + capture {
                packetOnTheAir?.isLost = true
                if packet.end > other.end {
                    var noise = packet
                    noise.isLost = true
                    packetOnTheAir = noise
                }
                return
            }
        } else if packetOnTheAir != nil {
            finishPacket(at: begin)
        }
        packetOnTheAir = packet
        setAlarm(Alarm.packetEnds, at: packet.end)
    }

    private func finishPacket(at time: SimulatedTime) {
        guard let packet = packetOnTheAir, packet.end <= time else { return }
        packetOnTheAir = nil
        guard !packet.isLost, isPresent, scanning != nil else { return }
        heard(packet.advertisement, from: packet.sender, rssiDBm: Int8(packet.rssiDBm.rounded()))
    }

    override func worldEnds() { links = [] }

    override func wake(_ alarm: UInt32) {
        switch alarm {
        case Alarm.advertise: advertiseOnce()
        case Alarm.packetEnds: finishPacket(at: world.now)
        default: break
        }
    }

    // MARK: For subclasses

    /// An advert is about to be sent; it may be changed.
    func prepareAdvert() {}

    /// Under which it asks for connections.
    var linkAddress: DeviceAddress { advertisement?.address ?? DeviceAddress(value: 0, isRandom: true) }

    /// An advert has arrived whole.
    func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {}

    /// A link has begun; `isCentral`: this side has made it.
    func linkOpened(_ link: AirLink, isCentral: Bool) {}

    /// A link has ended, for this side. `reason`: an HCI error code.
    func linkClosed(_ link: AirLink, reason: UInt8) {}

    /// A piece of data has arrived on a link.
    func received(_ fragment: LinkFragment, on link: AirLink) {}

    /// A piece of data has been acknowledged by the other side.
    func delivered(on link: AirLink) {}
}

import FlashSimulator
import HCI

/// Any device with a radio: it may advertise, listen, and have links.
open class Station: WorldActor {
    public let name: String
    public var route: Route
    public var powerDBm = 0.0
    /// Whether the station is present and switched on. If not, it neither sends nor receives.
    public private(set) var isPresent = true
    /// Whether the station's scans receive only boards. Phones look for boards only, which keeps crowds
    /// cheap.
    var hearsOnlyBoards: Bool { true }
    var isBoard: Bool { false }
    /// Whether the station answers connection requests. If not, an initiator keeps waiting for an answer,
    /// as with AUX_CONNECT_RSP.
    var answersConnectionRequests: Bool { true }

    public private(set) var advertisement: Advertisement?
    private(set) var advertisingInterval = SimulatedDuration.milliseconds(250)
    var scanning: Scanning? { didSet { air.listeningChanged(self, wasListening: oldValue != nil) } }
    public internal(set) var links: [AirLink] = []
    public internal(set) var airUse = AirUse()
    /// Whether the station sends every advert although nothing may receive it. ``airUse`` is then correct
    /// in an empty room, too.
    public var advertisesUnheard = false

    /// Whether advertising is suspended because nothing listens.
    var isDormant = false
    private var nextAdvert = SimulatedTime.never
    private var packetOnTheAir: PacketOnTheAir?
    private var jitter: RandomStream
    let air: Air

    enum Alarm {
        static let advertise: UInt32 = 0
        static let packetEnds: UInt32 = 1
        /// The first alarm of subclasses.
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

    /// Adds the station to the world or removes it without notice.
    public func setPresent(_ isPresent: Bool) {
        guard isPresent != self.isPresent else { return }
        self.isPresent = isPresent
        packetOnTheAir = nil
        if isPresent { scheduleAdvert() } else { links.removeAll() }
    }

    /// Removes the station for good. Its memory is free when nothing else refers to it.
    public func leaveForGood() {
        for link in links { link.forget(by: self) }
        stopAdvertising()
        scanning = nil
        setPresent(false)
        air.forget(self)
        world.remove(self)
    }

    // MARK: Advertising

    /// Starts advertising, or changes the data of running advertising.
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

    /// Schedules the first advert of a series, at a random moment of an interval.
    func scheduleAdvert() {
        isDormant = false
        guard isPresent, advertisement != nil else { return }
        nextAdvert = world.now + jitter.duration(upTo: advertisingInterval)
        setAlarm(Alarm.advertise, at: nextAdvert)
    }

    /// Sends one advert and schedules the next. Each interval is extended by up to 10 ms
    /// (Bluetooth Core 5.4, Vol 6, Part B, 4.4.2.2).
    private func advertiseOnce() {
        guard isPresent, nextAdvert == world.now else { return }
        nextAdvert = .never
        prepareAdvert()
        guard let advertisement else { return }
        airUse.count(advertisement)
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

    /// Begins to receive a packet on the current channel. Of two simultaneous packets, the stronger
    /// survives if it is much stronger.
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

    override func worldEnds() {
        links = []
        packetOnTheAir = nil
    }

    override func wake(_ alarm: UInt32) {
        switch alarm {
        case Alarm.advertise: advertiseOnce()
        case Alarm.packetEnds: finishPacket(at: world.now)
        default: break
        }
    }

    // MARK: Overridden by subclasses

    /// Called before each advert, which may be changed here.
    func prepareAdvert() {}

    /// The address under which the station initiates connections.
    var linkAddress: DeviceAddress { advertisement?.address ?? DeviceAddress(value: 0, isRandom: true) }

    /// Called when an advert has been received completely.
    func heard(_ advertisement: Advertisement, from sender: Station, rssiDBm: Int8) {}

    /// Called when a link begins.
    ///
    /// - Parameter isCentral: Whether this side initiated it.
    func linkOpened(_ link: AirLink, isCentral: Bool) {}

    /// Called when a link has ended for this side.
    ///
    /// - Parameter reason: An HCI error code.
    func linkClosed(_ link: AirLink, reason: UInt8) {}

    /// Called when a data packet has arrived on a link.
    func received(_ fragment: LinkFragment, on link: AirLink) {}

    /// Called when the peer has acknowledged a data packet.
    func delivered(on link: AirLink) {}
}

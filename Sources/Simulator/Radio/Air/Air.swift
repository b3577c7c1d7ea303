import FlashSimulator
import HCI

/// The air between all stations.
///
/// Fault model. Packets are lost by distance, by a collision on one of the three channels, outside of scan
/// windows, and at random. A link that carries nothing for its supervision timeout ends, on each side
/// separately. All of this is normal, so the agent must expect it. RSSI is never invented: a packet that is
/// not received is not reported.
public final class Air {
    public var propagation = Propagation()
    public internal(set) var collisionCount: UInt64 = 0
    public private(set) var advertCount: UInt64 = 0
    /// The number of links that were established on both sides.
    public private(set) var linkCount: UInt64 = 0

    private let world: World
    private var listeners: [Station] = []
    private var dormant: [Station] = []
    private var random: RandomStream
    private let shadowSeed: UInt64

    init(in world: World) {
        self.world = world
        random = world.random("the air")
        var shadows = world.random("shadows")
        shadowSeed = shadows.next()
    }

    enum Audience { case listenersInReach, listenersOutOfReach, nobodyListens }

    /// The time between the packets of one advert on two channels.
    private static let channelSpacing = SimulatedDuration.microseconds(800)
    /// The largest fading that is considered, in standard deviations.
    private static let fadingReach = 4.9

    // MARK: Listening

    func listeningChanged(_ station: Station, wasListening: Bool) {
        let isListening = station.scanning != nil
        guard isListening != wasListening else { return }
        if isListening {
            listeners.append(station)
            let sleepers = dormant
            dormant.removeAll(keepingCapacity: true)
            for sleeper in sleepers { sleeper.scheduleAdvert() }
        } else {
            listeners.removeAll { $0 === station }
        }
    }

    /// Releases all stations, because they refer to the air.
    func worldEnds() {
        listeners = []
        dormant = []
    }

    func forget(_ station: Station) { dormant.removeAll { $0 === station } }

    func sleep(_ station: Station) {
        guard !station.isDormant else { return }
        station.isDormant = true
        dormant.append(station)
    }

    // MARK: Packets

    /// Sends one advert on all three channels. Each listener receives it on the channel that it listens on.
    func broadcast(_ advertisement: Advertisement, from sender: Station) -> Audience {
        var audience = Audience.nobodyListens
        let airTime = advertisement.airTime
        let senderPlace = sender.route.place(at: world.now)
        advertCount &+= 1
        for listener in listeners where listener !== sender {
            guard let scanning = listener.scanning, sender.isBoard || !listener.hearsOnlyBoards else {
                continue
            }
            if audience == .nobodyListens { audience = .listenersOutOfReach }
            guard listener.isPresent else { continue }
            let mean = meanRSSIDBm(from: sender, at: senderPlace, to: listener)
            guard mean + propagation.fadingDB * Self.fadingReach >= propagation.sensitivityDBm else {
                continue
            }
            audience = .listenersInReach
            if let wanted = scanning.wanted, wanted != advertisement.address { continue }
            let channel = scanning.channel(at: world.now)
            let begin = world.now + .microseconds(channel * Self.channelSpacing.microseconds)
            let end = begin + airTime
            guard scanning.hears(from: begin, to: end) else { continue }
            let rssi = faded(mean)
            guard rssi >= propagation.sensitivityDBm else { continue }
            if propagation.interference > 0, random.chance(propagation.interference) { continue }
            listener.arrives(
                Station.PacketOnTheAir(
                    advertisement: advertisement, sender: sender, end: end, rssiDBm: rssi), at: begin)
        }
        return audience
    }

    @inline(__always)
    private func faded(_ mean: Double) -> Double {
        guard propagation.fadingDB > 0 else { return mean }
        let rssi = mean + random.normal() * propagation.fadingDB
        return min(max(rssi, Propagation.rssiRange.lowerBound), Propagation.rssiRange.upperBound)
    }

    @inline(__always)
    private func meanRSSIDBm(from sender: Station, at place: Position, to receiver: Station) -> Double {
        let squared = place.squaredDistance(to: receiver.route.place(at: world.now))
        let (low, high) = (min(sender.number, receiver.number), max(sender.number, receiver.number))
        let pair = shadowSeed ^ (UInt64(UInt32(bitPattern: high)) << 32 | UInt64(UInt32(bitPattern: low)))
        let rssi = propagation.rssiDBm(
            powerDBm: sender.powerDBm, squaredMetres: squared, pair: pair, fading: 0)
        return propagation.isBodyBetween(pair: pair, at: world.now) ? rssi - propagation.bodyFadeDB : rssi
    }

    /// Whether a packet of one station reaches the other at this moment, without random loss.
    func reaches(_ sender: Station, _ receiver: Station) -> Bool {
        guard sender.isPresent, receiver.isPresent else { return false }
        let place = sender.route.place(at: world.now)
        return meanRSSIDBm(from: sender, at: place, to: receiver) >= propagation.sensitivityDBm
    }

    /// The RSSI in dBm at which `receiver` receives `sender` at this moment, without fading.
    func rssiDBm(from sender: Station, to receiver: Station) -> Int8 {
        Int8(
            clamping: Int(
                meanRSSIDBm(from: sender, at: sender.route.place(at: world.now), to: receiver).rounded()))
    }

    func isLostByChance() -> Bool { propagation.interference > 0 && random.chance(propagation.interference) }

    // MARK: Links

    /// Connects `central` to `peripheral` in response to an advert. The connection request may be lost. The
    /// central then has a link that is never established.
    ///
    /// - Parameter isAdvertised: Whether the link needs an advert that is still on the air. Without, the
    ///   peripheral has answered the request just before its host stopped advertising.
    @discardableResult
    func connect(
        _ central: Station, to peripheral: Station, advertisedAs address: DeviceAddress,
        parameters: LinkParameters, whileAdvertised isAdvertised: Bool = true
    ) -> AirLink {
        let link = AirLink(central: central, peripheral: peripheral, parameters: parameters, in: world)
        link.peripheralAddress = address
        central.links.append(link)
        let isOffered =
            peripheral.advertisement?.address == address && peripheral.advertisement?.isConnectable == true
        link.isEstablished =
            reaches(central, peripheral) && !isLostByChance() && (isOffered || !isAdvertised)
        world.record(.linkOpened, UInt64(UInt32(bitPattern: link.number)))
        if link.isEstablished {
            linkCount &+= 1
            peripheral.links.append(link)
        }
        central.linkOpened(link, isCentral: true)
        if link.isEstablished { peripheral.linkOpened(link, isCentral: false) }
        link.start()
        return link
    }
}

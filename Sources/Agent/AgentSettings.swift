import Configuration
import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols
import Radio
import Schemes

/// The configuration in the agent's own units.
public struct AgentSettings: BitwiseCopyable, Sendable {
    public var radio: RadioSettings
    public var recorder = RecorderSettings()
    public var policy = LinkPolicy()
    /// The Herald payload of a beacon. A wearable's is empty here, because it changes every six minutes.
    public var payload = FixedBuffer<512>()
    /// Nil for a beacon.
    public var wearable: WearableSettings?
    /// The settings of other schemes' identities. The caller sets Sonar's registration.
    public var schemes = SchemeSettings()
    /// The most log time that a power cut may lose.
    public var lossWindow: Interval
    /// Segments older than this are erased; 0 for never.
    public var retentionDays: UInt16
    /// The configuration that a client reads and changes over the sync port.
    public var configuration = EffectiveConfiguration()
    public var role: LogRole
    /// Whether the board knows what to advertise; otherwise the agent leaves the radio alone.
    public var isSetUp: Bool
    /// The agent ends if the radio is down for this long; 0 for never.
    public var giveUpMinutes: UInt16
    public var softwareVersion: Bytes<3>
    /// Nil on a platform without key storage. The board then requires no signatures, and refuses commands
    /// that need keys.
    public var keys: BoardKeys?

    /// - Parameter logIdentity: if the configuration gives no address, the board's address is derived from
    ///   this identity, and so stays the same.
    public init(
        _ configuration: AgentConfiguration, logIdentity: Bytes<16>, softwareVersion: Bytes<3>
    ) throws(HeraldPayloadError) {
        let power = TransmitPower(dBm: configuration.radio.txPowerDBm) ?? .fallback
        let derived = DeviceAddress.staticRandom(seed: logIdentity.span.loadUInt64(at: 0))
        radio = RadioSettings(
            address: DeviceAddress(configuration.radio.address) ?? derived, transmitPower: power)
        if configuration.agent.role == .beacon {
            radio.publicAddressUse =
                configuration.radio.address == .ofController ? .always : .ifNeeded
        }
        radio.scans = configuration.radio.scan
        radio.advertises = configuration.radio.advertise
        radio.usesExtendedCommands = configuration.radio.usesExtendedCommands
        radio.advertisingIntervalSlots = ScanTiming.slots(
            milliseconds: configuration.radio.advertisingIntervalMilliseconds)
        radio.duty = ScanDuty(configuration.radio)
        radio.writeBackInterval = .seconds(UInt64(configuration.herald.writeBackSeconds))
        radio.sharesPayloads = configuration.herald.sharesPayloads
        radio.asksModel = configuration.herald.asksModel
        radio.wakesIPhones = configuration.herald.wakesIPhones
        radio.offer.sonar = configuration.schemes.sonar == .on
        radio.offer.covidTracer = configuration.schemes.covidTracer == .on
        radio.offer.bleProximity = configuration.schemes.bleProximity == .on
        radio.linkLimit = Int(configuration.encounters.links)
        policy.dropsWeakestLink = configuration.encounters.dropsWeakestLink

        recorder = RecorderSettings(configuration)
        lossWindow = .seconds(UInt64(configuration.log.lossWindowSeconds))
        retentionDays = configuration.log.retentionDays
        giveUpMinutes = configuration.radio.giveUpMinutes
        role = configuration.agent.role == .beacon ? .beacon : .wearable
        isSetUp = configuration.isSetUp
        self.softwareVersion = softwareVersion
        schemes.sonarPeriodSeconds = UInt32(configuration.schemes.sonarPeriodMinutes) * 60
        schemes.hasCovidTracer = configuration.schemes.covidTracer == .on
        schemes.hasProximity = configuration.schemes.bleProximity == .on
        schemes.hasExposure = configuration.schemes.exposureNotification == .on
        schemes.proximityPeriodSeconds = UInt32(configuration.schemes.bleProximityPeriodMinutes) * 60
        switch configuration.agent.role {
        case .beacon: payload = try BeaconPayload.encoded(configuration.herald)
        case .wearable:
            wearable = WearableSettings(
                country: configuration.herald.country, state: configuration.herald.state)
        }
    }
}

extension AgentSettings {
    /// The log entry for these settings.
    /// - Parameter digest: the first 16 bytes of SHA-256 of the configuration's listing.
    /// - Parameter digest: the SHA-256 of the configuration, of which the entry has the first 16 bytes.
    func entry(digest: Bytes<32>, now: Instant) -> ConfigurationEntry {
        ConfigurationEntry(
            instant: now, digest: Bytes<16>(digest.span.extracting(0..<16)) ?? Bytes(),
            retentionDays: retentionDays,
            scans: radio.scans, advertises: radio.advertises,
            scanIntervalSlots: radio.duty.near.intervalSlots,
            scanWindowSlots: radio.duty.near.windowSlots,
            advertisingIntervalSlots: radio.advertisingIntervalSlots,
            peerCapacity: UInt32(truncatingIfNeeded: recorder.peerCapacity),
            position: configuration.values.agent.position)
    }
}

extension DeviceAddress {
    /// The configured random address; nil if none is.
    fileprivate init?(_ configured: BeaconAddress?) {
        guard case .staticRandom(let address) = configured else { return nil }
        self.init(value: address.bytes.span.loadUInt48(at: 0), isRandom: true)
    }
}

/// The country and state in a wearable's payload.
public struct WearableSettings: BitwiseCopyable, Sendable {
    public var country: UInt16
    public var state: UInt16

    public init(country: UInt16, state: UInt16) {
        self.country = country
        self.state = state
    }
}

extension RecorderSettings {
    public init(_ configuration: AgentConfiguration) {
        self.init()
        let encounters = configuration.encounters
        peerCapacity = Int(encounters.peers)
        sampleLength = .seconds(UInt64(encounters.sampleSeconds))
        encounterTimeout = .seconds(UInt64(encounters.gapSeconds))
        recordsReadings = encounters.raw
        probeFloorDBm = configuration.schemes.covidTracerProbeDBm
        if configuration.schemes.sonar.listens { heardHints.insert(.sonar) }
        if configuration.schemes.covidTracer.listens {
            heardHints.insert(.covidTracer)
            heardHints.insert(.emptyAdvert)
        }
        if configuration.schemes.bleProximity.listens { heardHints.insert(.bleProximity) }
        if configuration.schemes.exposureNotification.listens { heardHints.insert(.exposureNotification) }
        if configuration.schemes.other.listens {
            heardHints.insert(.robert)
            heardHints.insert(.dp3t)
            heardHints.insert(.tcn)
            heardHints.insert(.blueTrace)
        }
    }
}

extension TransmitPower {
    /// 0 dBm, if the configured number is not a transmit power.
    fileprivate static var fallback: TransmitPower {
        guard let power = TransmitPower(dBm: 0) else { preconditionFailure("0 dBm is a power") }
        return power
    }
}

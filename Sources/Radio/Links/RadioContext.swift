import Cryptography
import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// The parts of the radio that links, the connector and the message queue share. The recorder is not among
/// them: the agent lends it for each call.
struct RadioContext: ~Copyable {
    let settings: RadioSettings
    let policy: LinkPolicy
    var own: IdentityRotation
    /// False once the controller has shown that it lacks the peripheral role.
    var canAdvertise = true
    let table: IdentityServer.Table
    var server: IdentityServer
    var messages: MessageQueue
    var jitter: Jitter
    /// The source of random bytes that must be unpredictable.
    var entropy = Entropy.system
    var counters = RadioCounters()

    init(
        settings: RadioSettings, policy: LinkPolicy, identity: OwnIdentity, deviceName: Span<UInt8>,
        randomSeed: UInt64
    ) throws(MemoryError) {
        let server = try IdentityServer(
            herald: HeraldServer(payload: identity.payload, linkLimit: settings.linkLimit + 1),
            linkLimit: settings.linkLimit + 1)
        let messages = try MessageQueue()
        self.server = server
        self.messages = messages
        self.settings = settings
        self.policy = policy
        own = IdentityRotation(identity)
        table = IdentityServer.makeTable(deviceName: deviceName, settings.offer)
        jitter = Jitter(seed: randomSeed)
    }

    /// Whether the board advertises: some scheme has an identity, and settings and controller permit it.
    var advertises: Bool { settings.advertises && canAdvertise && !own.appearance.isSilent }

    /// The rules for what the board writes to its peers.
    var writeBackRules: WriteBackRules {
        WriteBackRules(
            ownDigest: own.current.digest, isVisible: advertises, readingInterval: settings.writeBackInterval,
            sharesPayloads: settings.sharesPayloads, wakesIPhones: settings.wakesIPhones)
    }

    /// Reports a Herald payload that a peer gave as its identity; `isWritten`: without a request.
    mutating func identify(
        _ peer: DeviceAddress, _ payload: FixedBuffer<512>, isWritten: Bool, recorder: inout Recorder,
        now: Instant
    ) {
        if payload == own.current.payload { counters.duplicateIdentities &+= 1 }
        recorder.identify(peer, identity: payload, isWritten: isWritten, now: now)
    }

    /// Serves the current identity. Peers that connect from now on have seen an advert of it.
    mutating func serveIdentity() {
        server.herald.payload = own.current.payload
        server.own = own.current.schemes
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

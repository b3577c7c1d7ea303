import Cryptography
import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Schemes

/// Drives the controller: brings it up, advertises and scans, makes and serves links. It only ever reacts: packets and
/// time go in, and whatever is to be sent next is asked for. So it never waits, and it can be replayed.
public struct RadioController: ~Copyable {
    package enum State: UInt8, BitwiseCopyable { case bringingUp, running, halted }

    /// What the agent has to know.
    package enum Notice: BitwiseCopyable {
        case up
        /// The controller has our new address: we are somebody else now.
        case addressChanged
        /// The controller cannot be worked with.
        case down(RadioFault)
    }

    package let settings: RadioSettings
    let policy: LinkPolicy
    /// Who we are: what the controller's address and the payload of a link that we make stand for.
    package var identity: OwnIdentity
    /// Whom we are about to be.
    package var nextIdentity: OwnIdentity?
    /// That of whom we are about to be, else of who we are: what the controller is to show.
    var appearance: OwnAppearance
    /// Who we are in Exposure Notification, at the same time.
    package var broadcast: ExposureBroadcast?
    package var furtherSets = AdditionalAdvertisingSets()
    package var state = State.bringingUp
    var bringUp: ControllerBringUp
    package var slot = CommandSlot()
    package var roles: Roles
    /// The controller does not know an extended command of which it has said that it does: none is sent any more.
    var hasFalseCommands = false
    var links: LinkTable
    let table: IdentityServer.Table
    package var server: IdentityServer
    var aclCredits = 0
    var connecting = Connecting.no
    var attemptStartMilliseconds: UInt64 = 0
    var attemptPurpose = AttemptPurpose.identity
    /// No attempt before this time: those that come to nothing must not take the time to scan.
    var nextAttemptMilliseconds: UInt64 = 0
    var turn = LinkPolicy.Turn.nearest
    var isErrandsTurn = false
    var probes = ProbeBudget()
    var errands = ProbeBudget.writeBack
    var nextChoiceMilliseconds: UInt64 = 0
    var nextErrandChoiceMilliseconds: UInt64 = 0
    /// Since when somebody is to be connected to, and there is no place.
    var waitingSinceMilliseconds: UInt64?
    /// The next place is for a link of ours.
    var isPlaceKept = false
    /// With so many links the controller has refused to make one more.
    var refusedLinkCount = Int.max
    package var messages: MessageQueue
    var nextMessageCheckMilliseconds: UInt64 = 0
    /// A message has been queued: there is something to do at once.
    package var hasImmediateWork = false
    /// Disconnect was sent for this link and is not answered yet.
    var disconnecting: ConnectionHandle?
    /// Links there was no room for: of several advertising sets as many may come about at once.
    var surplus = InlineArray<4, ConnectionHandle?>(repeating: nil)
    private var random: UInt64
    /// For what nobody may foresee.
    package var entropy = Entropy.system
    package var counters = RadioCounters()
    package var hearing = ScanStatistics()

    /// A controller from which nothing has come for so long is asked something harmless.
    package static var probeIntervalMilliseconds: UInt64 { 10_000 }

    /// An attempt at a connection: commanded with LE Create Connection, ended by a Connection Complete in any case.
    package enum Connecting: BitwiseCopyable {
        case no
        /// Scanning and advertising stop first.
        case wanted(DeviceAddress, deadline: UInt64)
        case asked(DeviceAddress, deadline: UInt64)
        /// It took too long: to be cancelled, and cancelled.
        case overdue(DeviceAddress)
        case cancelled(DeviceAddress, deadline: UInt64)
    }

    package init(
        settings: RadioSettings, policy: LinkPolicy, identity: OwnIdentity, deviceName: Span<UInt8>,
        randomSeed: UInt64
    ) throws(MemoryError) {
        let links = try LinkTable(limit: settings.linkLimit)
        let server = try IdentityServer(
            herald: HeraldServer(payload: identity.payload, linkLimit: settings.linkLimit + 1),
            linkLimit: settings.linkLimit + 1)
        let messages = try MessageQueue()
        self.links = links
        self.server = server
        self.messages = messages
        table = IdentityServer.makeTable(deviceName: deviceName, settings.offer)
        self.settings = settings
        self.policy = policy
        self.identity = identity
        appearance = identity.appearance
        roles = Roles(address: identity.address)
        bringUp = ControllerBringUp(
            randomAddress: identity.address, lowEnergyEventMask: settings.lowEnergyEventMask)
        random = randomSeed
    }

    package var information: ControllerInformation { bringUp.information }
    package var address: DeviceAddress { identity.address }

    /// Begins anew with a reset: after a fault, or a new transport.
    package mutating func restart(recorder: inout Recorder, nowMilliseconds now: UInt64) {
        halt(recorder: &recorder, nowMilliseconds: now)
        state = .bringingUp
    }

    /// Leaves the controller alone. All links and roles are gone.
    package mutating func halt(recorder: inout Recorder, nowMilliseconds now: UInt64) {
        for index in links.indices { abandonWork(index, recorder: &recorder, nowMilliseconds: now) }
        switch connecting {
        case .no: break
        case .wanted(let peer, _), .asked(let peer, _), .overdue(let peer), .cancelled(let peer, _):
            attemptFailed(with: peer, recorder: &recorder, nowMilliseconds: now)
        }
        links.removeAll()
        state = .halted
        hasImmediateWork = false
        adoptIdentity(nowMilliseconds: now)
        bringUp = ControllerBringUp(
            randomAddress: identity.address, lowEnergyEventMask: settings.lowEnergyEventMask)
        slot = CommandSlot()
        roles = Roles(address: identity.address)
        furtherSets = AdditionalAdvertisingSets()
        connecting = .no
        nextAttemptMilliseconds = 0
        waitingSinceMilliseconds = nil
        isPlaceKept = false
        refusedLinkCount = .max
        disconnecting = nil
        surplus = InlineArray(repeating: nil)
        aclCredits = 0
    }

    /// Whatever is due by now. Returns a notice when the controller has stopped answering.
    /// - Parameter hasTakenAll: nothing that has come waits to be taken in. An answer may be among what waits.
    package mutating func advance(
        recorder: inout Recorder, hasTakenAll: Bool, nowMilliseconds now: UInt64
    ) -> Notice? {
        if let opCode = slot.overdue(atMilliseconds: now), hasTakenAll {
            counters.commandTimeouts &+= 1
            return .down(.commandTimeout(opCode))
        }
        hasImmediateWork = false
        keepMessages(recorder: recorder, nowMilliseconds: now)
        guard state == .running else { return nil }
        switch connecting {
        case .no: chooseConnection(recorder: &recorder, nowMilliseconds: now)
        case .wanted(let peer, let deadline):
            if now >= deadline { attemptFailed(with: peer, recorder: &recorder, nowMilliseconds: now) }
        case .asked(let peer, let deadline):
            if now >= deadline { connecting = .overdue(peer) }
        case .overdue: break
        case .cancelled(_, let deadline):
            // The cancelled attempt must end with a Connection Complete. A controller that forgets it is stuck.
            if now >= deadline { return .down(.stuckConnecting) }
        }
        var keptCount = 0
        for index in links.indices {
            let isPinned = keepAlive(index, keptCount: &keptCount, nowMilliseconds: now)
            links.slots[index]?.isPinned = isPinned
            guard let link = links.slots[index] else { continue }
            switch link.ending {
            case .no:
                if policy.hasServed(link, isPinned: isPinned, nowMilliseconds: now) {
                    links.slots[index]?.ending = .wanted
                } else if !link.isOurs, link.work.isOver {
                    askVisitorAgain(index, recorder: &recorder, nowMilliseconds: now)
                }
            case .wanted: break
            case .asked(let deadline): if now >= deadline { return .down(.stuckLink) }
            }
        }
        evictForIncoming(recorder: recorder, nowMilliseconds: now)
        return nil
    }

    /// What the controller should be doing. It changes nothing; but of a method that is not `mutating` the board's
    /// optimiser gives a copy of the controller.
    @inline(__always)
    mutating func plan(nowMilliseconds now: UInt64) -> Roles.Plan {
        guard case .no = connecting else { return planToConnect() }
        let advertisesByTurns = roles.sharing == .timeMultiplexed
        if takesExposureTurns, let broadcast,
            ExposureTurns.isTurn(atMilliseconds: now, advertisesByTurns: advertisesByTurns)
        {
            let plan = Roles.Plan(
                scans: settings.scans, advertises: settings.advertises && !roles.cannotAdvertise,
                advertisingType: .nonConnectable, turn: AdvertisingSlot(broadcast.identity),
                address: broadcast.address)
            return roles.due(plan, nowMilliseconds: now)
        }
        let turn = turns().turn(
            atMilliseconds: now,
            lasting: takesExposureTurns
                ? ExposureTurns.otherMilliseconds(advertisesByTurns: advertisesByTurns)
                : AdvertisingSlot.milliseconds)
        let plan = Roles.Plan(
            scans: settings.scans, advertises: advertises, advertisingType: advertisingType(), turn: turn,
            address: appearance.address)
        return roles.due(plan, nowMilliseconds: now)
    }

    /// Both roles are off, and nobody is asked but under the address by which we answer.
    private mutating func planToConnect() -> Roles.Plan {
        var address = roles.address
        if case .wanted = connecting { address = identity.address }
        return Roles.Plan(
            scans: false, advertises: false, advertisingType: .connectable, turn: .herald, address: address)
    }

    /// Whether nothing is going on but what the controller does by itself.
    package var isAtRest: Bool {
        guard state == .running, case .no = connecting, messages.isEmpty else { return false }
        return slot.pending == nil && links.count == 0 && roles.sharing == .together && hasRoles
    }

    /// Whether the controller does all that it is to do, if need be by turns.
    package var hasRoles: Bool {
        guard case .no = connecting, roles.sharing == .together else { return roles.refusal == nil }
        return roles.isScanning == settings.scans
            && (roles.isAdvertising == advertises || takesExposureTurns)
    }

    mutating func nextRandom() -> UInt64 {
        // xorshift: jitter needs no more than that.
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return random
    }

    // Ended in one place, not wherever one is given up: for the image's size.
    @inline(never)
    deinit {}
}

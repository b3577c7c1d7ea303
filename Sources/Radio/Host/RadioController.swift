import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols

/// Drives the controller: brings it up, advertises and scans, opens and serves links. It only reacts:
/// packets and time go in, and the caller asks for the next packet to send. So it never waits, and the
/// simulator can replay it.
public struct RadioController: ~Copyable {
    package enum State: UInt8, BitwiseCopyable { case bringingUp, running, halted }

    /// An event that the agent must handle immediately.
    package enum Notice: BitwiseCopyable {
        case up
        /// The controller has the next identity's address, so that identity is the current one.
        case addressChanged
        /// The controller has stopped scanning by itself, and a renewal follows.
        case scanLost
        /// The agent cannot work with the controller.
        case down(RadioFault)
    }

    var context: RadioContext
    var host: HostController
    package var schedule: AirSchedule
    package var additionalSets = AdditionalAdvertisingSets()
    var connector = Connector()
    var links: LinkTable
    var excess = ExcessConnections()
    var early = EarlyData()
    var duty: ScanDutyKeeper
    package var statistics = ScanStatistics()
    /// A message was queued, so the next step is due immediately.
    package private(set) var hasImmediateWork = false

    /// A controller that is silent for this long gets a harmless command.
    package static var probeInterval: Interval { .seconds(10) }

    package init(
        settings: RadioSettings, policy: LinkPolicy, identity: OwnIdentity, deviceName: Span<UInt8>,
        sonarSecret: Bytes<32>?, entropy: Entropy, randomSeed: UInt64
    ) throws(MemoryError) {
        let links = try LinkTable(limit: settings.linkLimit)
        context = try RadioContext(
            settings: settings, policy: policy, identity: identity, deviceName: deviceName,
            randomSeed: randomSeed)
        context.server.sonarSecret = sonarSecret
        context.server.txPowerDBm = settings.transmitPower.dBm
        context.entropy = entropy
        self.links = links
        host = HostController(address: identity.address, settings)
        schedule = AirSchedule(address: identity.address)
        duty = ScanDutyKeeper(settings.duty)
    }

    /// The memory that one link takes, in bytes.
    package static var linkByteCount: Int { MemoryLayout<Link>.stride }

    package var state: State { host.state }
    package var settings: RadioSettings { context.settings }
    package var counters: RadioCounters { context.counters }
    package var information: ControllerInformation { host.information }
    package var identity: OwnIdentity { context.own.current }
    package var nextIdentity: OwnIdentity? { context.own.next }
    package var address: DeviceAddress { context.own.current.address }

    /// Whether the answer to a command is overdue. It may be among the packets that wait.
    package func isAnswerOverdue(now: Instant) -> Bool {
        host.overdueCommand(now: now) != nil
    }

    /// Begins again with a reset, after a fault or on a new transport.
    package mutating func restart(
        isSameController: Bool = true, recorder: inout Recorder, now: Instant
    ) {
        halt(isSameController: isSameController, recorder: &recorder, now: now)
        host.restart()
    }

    /// Tells the controller again what it may have forgotten: see ``AirSchedule``. Its links stay.
    @inline(never)
    package mutating func renew(tellsScan: Bool) {
        schedule.renew(tellsScan: tellsScan, tellsAddress: links.count == 0)
        additionalSets.restart()
        host.checksAddress = true
    }

    /// Leaves the controller alone. All links and roles are gone.
    package mutating func halt(
        isSameController: Bool = true, recorder: inout Recorder, now: Instant
    ) {
        for slot in links.indices where !links[slot].isClosed {
            links[slot].abandonProcedures(recorder: &recorder, context: &context, now: now)
        }
        connector.reset(recorder: &recorder, context: &context, now: now)
        links.closeAll()
        hasImmediateWork = false
        _ = context.own.adopt()
        if !address.isRandom { context.own.move(to: settings.address) }
        host.halt(address: address, settings)
        let proof = ScanProof(isPossible: isSameController && schedule.scanner.proof.isPossible)
        schedule = AirSchedule(address: address)
        schedule.scanner.proof = proof
        context.canAdvertise = true
        additionalSets = AdditionalAdvertisingSets()
        excess = ExcessConnections()
        early = EarlyData()
    }

    /// Does what is due by now. Returns a notice when the controller has stopped answering.
    /// - Parameter hasTakenAll: No received packet waits; otherwise the missing answer may be among them.
    package mutating func advance(recorder: inout Recorder, hasTakenAll: Bool, now: Instant) -> Notice? {
        if let opCode = host.overdueCommand(now: now), hasTakenAll {
            context.counters.commandTimeouts &+= 1
            return .down(.commandTimeout(opCode))
        }
        hasImmediateWork = false
        context.messages.keep(recorder: recorder, now: now)
        guard state == .running else { return nil }
        let isAnswering = connector.advance(links: &links, recorder: &recorder, context: &context, now: now)
        guard isAnswering else { return .down(.stuckConnecting) }
        guard links.count > 0 else { return nil }
        if let fault = advanceLinks(recorder: &recorder, now: now) { return .down(fault) }
        evictForIncoming(recorder: recorder, now: now)
        return nil
    }

    private mutating func advanceLinks(recorder: inout Recorder, now: Instant) -> RadioFault? {
        var pinnedCount = 0
        let limit = min(settings.linkLimit, schedule.advertiser.refusedLinkCount) / 2
        for slot in links.indices where !links[slot].isClosed {
            links[slot].keepAlive(pinnedCount: &pinnedCount, limit: limit, context: &context, now: now)
            switch links[slot].phase {
            case .open:
                if context.policy.hasServed(links[slot], isPinned: links[slot].keepAlive.isPinned, now: now) {
                    links[slot].phase = .endWanted
                } else if !links[slot].isOurs, links[slot].procedures.areDone {
                    links[slot].askIncomingPeerAgain(recorder: &recorder, context: &context, now: now)
                }
            case .endAsked(let deadline): if now >= deadline { return .stuckLink }
            case .endWanted, .closed: break
            }
        }
        return nil
    }

    /// Whether the controller does only what it does by itself.
    package var isAtRest: Bool {
        mutating get {
            guard state == .running, connector.isIdle, context.messages.isEmpty else { return false }
            return !host.isCommandPending && links.count == 0 && schedule.sharing == .together && hasRoles
        }
    }

    /// Whether the controller scans and advertises as it should, time-multiplexed if necessary.
    package var hasRoles: Bool {
        mutating get {
            guard connector.isIdle, schedule.sharing == .together else { return schedule.refusal == nil }
            return schedule.scanner.isScanning == settings.scans
                && (schedule.advertiser.isAdvertising == context.advertises || takesExposureSlots)
        }
    }

    // MARK: Immediate messages

    /// Queues a message, and begins to send it over links that are open. A repeated request is answered as
    /// before.
    package mutating func send(
        _ request: MessageRequest, recorder: inout Recorder, now: Instant
    ) -> Result<MessageReport, MessageError> {
        if let report = context.messages.report(number: request.number) { return .success(report) }
        do throws(MessageError) {
            let isQueued = try context.messages.add(request, links: links, recorder: recorder, now: now)
            guard isQueued else {
                return .success(MessageReport(number: request.number, queuedCount: 0, leftOutCount: 0))
            }
        } catch {
            return .failure(error)
        }
        for slot in links.indices where !links[slot].isClosed {
            links[slot].startNextProcedure(recorder: &recorder, context: &context, now: now)
        }
        // No pause holds the message up.
        connector.hurry()
        // Without a radio, each next step would be due immediately for ever.
        hasImmediateWork = state == .running
        return messageReport(number: request.number)
    }

    package func messageReport(number: UInt32) -> Result<MessageReport, MessageError> {
        context.messages.report(number: number).map { .success($0) } ?? .failure(.unknownMessage)
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}

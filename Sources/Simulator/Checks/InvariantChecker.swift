import Agent
import Configuration
import EncounterLog
import FixedMemory
import FlashSimulator
import HCI
import Peers
import Protocols
import Radio

/// The invariant checker: watches a board through all its boots, and applies every ``Check``.
public final class InvariantChecker {
    public let world: World
    public let board: SimulatedBoard
    let diary: FaultDiary
    let neighbours: Neighbours
    var phones: [SimulatedPhone] { neighbours.phones }
    let options: RunOptions
    /// The first 20 violations only, because those that follow one are seldom news.
    public private(set) var violations: [Violation] = []
    public private(set) var committedPageCount = 0
    public private(set) var entryCount = 0

    /// When the current agent, or the last one, started.
    private(set) var bootTime = SimulatedTime.zero
    /// Called with each erasure and each failed operation of the medium, for a trace.
    var onFlash: (String) -> Void = { _ in }
    let encounterTimeout: Interval
    let lossWindow: Interval
    /// The age at which reports must be in a coverage entry on the medium. In a quiet room the agent writes
    /// one every ten minutes.
    var coverageLimit: Interval { .minutes(10) + lossWindow + .seconds(30) }
    /// The reports of the current step. Phones also write signal strengths over links, and the agent counts
    /// them alike.
    var reportsInStep: Int { step.reportCount + step.dataCount }
    /// The pages that a host must be able to fetch.
    var pagesHeld: [(ordinal: UInt32, index: Int)] { nothingAcknowledgedIsLost.pagesHeld }
    /// Whether the board is blind and the agent has all it needs to know that.
    var mustKnowItIsBlind: Bool { coverageIsTrue.mustKnowItIsBlind }
    /// The operator's host, if there is one.
    private(set) var host: SyncingHost?
    private var pageTimes: [SimulatedTime] = []
    private var lastHeard: [DeviceAddress: SimulatedTime] = [:]
    private var writers: Set<DeviceAddress> = []

    /// The schemes besides Herald whose phones are of interest.
    private let heardHints: PeerHintSet
    private var checks: [Check] = []
    // Checks that are also queried, not only notified.
    private lazy var pagesInSequence = PagesInSequence(self)
    private lazy var nothingAcknowledgedIsLost = NothingAcknowledgedIsLost(self)
    private lazy var coverageIsTrue = CoverageIsTrue(self)
    private var step = StepFacts()
    private var pending: [Int] = []

    init(
        of board: SimulatedBoard, host: SyncingHost?, diary: FaultDiary, options: RunOptions,
        neighbours: Neighbours, in world: World
    ) {
        self.world = world
        self.board = board
        self.diary = diary
        self.neighbours = neighbours
        self.options = options
        heardHints = Self.heardHints(board.setup)
        encounterTimeout = .seconds(options.gapSeconds)
        lossWindow = .seconds(options.lossWindowSeconds)
        checks = [
            MemoryIsConstant(self), StepsAreBounded(self), pagesInSequence, EntriesInOrder(self),
            nothingAcknowledgedIsLost, ReportsAreCountedOnce(self), coverageIsTrue,
            EncountersAreTrue(self), PeersGetTheirOwn(self), MessagesArriveWhole(self),
            ControllerIsRespected(self), RadioIsSought(self),
        ]
        board.onStep = { [unowned self] _ in stepEnded() }
        board.onLife = { [unowned self] isRunning in
            if isRunning { bootTime = self.world.now }
            for check in checks { if isRunning { check.agentStarted() } else { check.agentEnded() } }
        }
        board.controller.transport.onTaken = { [unowned self] in took($0) }
        board.medium.onOperation = { [unowned self] in operated($0) }
        board.medium.onRequest = { [unowned self] request in
            for check in checks { check.requested(request) }
        }
        board.medium.onViolation = { [unowned self] in pagesInSequence.broken($0) }
        host?.onAcknowledged = { [unowned self] ordinal, bytes in
            for check in checks { check.acknowledged(ordinal, bytes) }
        }
        self.host = host
    }

    public func end() {
        for check in checks { check.worldEnded() }
        board.onStep = { _ in }
        board.onLife = { _ in }
        board.controller.transport.onTaken = nil
        board.medium.onOperation = nil
        board.medium.onRequest = nil
    }

    func record(_ violation: Violation) { if violations.count < 20 { violations.append(violation) } }

    func pagesWrittenSince(_ time: SimulatedTime) -> Int { pageTimes.count { $0 >= time } }

    /// Whether a phone that reports signal strength over links used this address, as the agent received it.
    /// An address with a flipped bit belongs to no phone, but it is all that the agent knows of the link's
    /// peer.
    func writes(_ address: DeviceAddress) -> Bool { writers.contains(address) }

    /// The phone that has or had this address.
    func phone(at address: DeviceAddress?) -> SimulatedPhone? {
        address.flatMap { address in phones.first { $0.hasHad(address) } }
    }

    func hasHeard(_ phone: SimulatedPhone, since time: SimulatedTime) -> Bool {
        (lastHeard[phone.address] ?? .zero) > time
    }

    // MARK: Radio

    private func took(_ packet: [UInt8]) {
        step.packetCount += 1
        if packet.first == PacketIndicator.aclData.rawValue { step.dataCount += 1 }
        switch try? Event(packet.span) {
        case .advertisingReports(var reports)?:
            while let report = reports.next() { took(report, isAskedFor: true) }
        case .extendedAdvertisingReports(var reports)?:
            while let report = reports.next() { took(report, isAskedFor: options.has(.extendedCommands)) }
        case .connectionComplete(let connection)?: linked(connection.peer)
        default: break
        }
    }

    private func linked(_ peer: DeviceAddress) {
        if !neighbours.isSilentOnLinks(peer) { writers.insert(peer) }
        for check in checks { check.linked(peer) }
    }

    /// Handles one report. The agent uses an extended report that it did not request (`isAskedFor` is
    /// false), but it does not prove that the radio works.
    private func took(_ report: borrowing AdvertisingReport, isAskedFor: Bool) {
        step.reportCount += 1
        let recognition = HeraldRecognition(report.data)
        let interest = recognition.interest
        let isGood =
            isAskedFor && report.kind != .scanResponse && report.data.count > 0 && report.rssi != nil
        let heard = HeardReport(
            address: report.address, peer: recognition.key ?? PeerKey(report.address),
            rssiDBm: report.rssi?.dBm, isGood: isGood, isParticipant: interest == .participant,
            isOfInterest: interest != .ignored || isOfScheme(report), instant: board.clock.now)
        if heard.isParticipant { lastHeard[report.address] = world.now }
        for check in checks { check.heard(heard) }
    }

    private func isOfScheme(_ report: borrowing AdvertisingReport) -> Bool {
        !heardHints.isEmpty && SchemeAdvert(report.data, among: heardHints) != nil
    }

    private static func heardHints(_ setup: BoardSetup) -> PeerHintSet {
        guard let configuration = try? setup.configuration() else { return PeerHintSet() }
        return RecorderSettings(configuration.values).heardHints
    }

    private func stepEnded() {
        step.memoryGrowth = board.stepMemoryGrowth
        step.now = board.clock.now
        for check in checks { check.stepped(step) }
        step = StepFacts()
    }

    // MARK: Flash

    private func operated(_ operation: SimulatedMedium.Operation) {
        for check in checks { check.operated(operation) }
        switch operation {
        case .program(let block, true):
            // On an overwritable medium the log erases the stale blocks of a segment one by one.
            let isBlank = board.medium.isErased(board.medium.range(ofBlock: block))
            if isBlank { onFlash("flash: block \(block) erased") } else { pending.append(block) }
        case .program(let block, false): onFlash("flash: block \(block) not programmed")
        case .erase(let slot, let succeeded):
            onFlash("flash: slot \(slot) \(succeeded ? "erased" : "not erased")")
        case .sync(false):
            onFlash("flash: not synced")
            pending = []
        case .sync(true):
            for number in pending {
                guard let page = CommittedPage(number: number, of: board) else {
                    // A flipped bit in the segment header also makes the page unreadable.
                    let slot = number / board.medium.geometry.blocksPerSegment
                    let segment = board.medium.blocks(ofSegment: slot)
                    guard board.medium.flippedBlocks.isDisjoint(with: segment) else {
                        for check in checks { check.missed() }
                        continue
                    }
                    pagesInSequence.broken("page \(number) was written so that it cannot be read")
                    continue
                }
                committedPageCount += 1
                onFlash("flash: page \(page.sequenceNumber) in block \(number)")
                pageTimes.append(world.now)
                entryCount += page.entries.count
                for check in checks { check.committed(page) }
            }
            pending = []
        }
    }
}

import FixedMemory
import HCI

/// The true times in which a board's radio could receive. The scan was requested and ran in the requested
/// mode, and nothing withheld RSSI readings from the board. The precision is that of the calls of
/// ``look()``. docs/radio-supervisor.md, "What blind means".
final class RadioSight {
    private enum State {
        case seeing
        /// The scan was disabled. The board is blind unless this is short.
        case away
        /// Nothing arrives whole. The board is blind unless this is short.
        case unheard
        case blind
    }

    /// The board's last request for the scan.
    private enum Request { case none, scan, pause }

    /// How long the board's normal operation may pause the scan; and how long no device may be heard by
    /// chance.
    private static let longest = (away: Interval.seconds(3), unheard: Interval.seconds(4))
    /// Durations this near to the limits may count either way, because an agent looks only ten times a
    /// second.
    private static let tolerance = Interval.milliseconds(150)
    /// The longest normal time between reports.
    private static let unheardLimit = Interval.milliseconds(300)
    /// A controller that has not answered for longer does not obey.
    private static let answer = Interval.seconds(4)

    private let board: SimulatedBoard
    private var request = Request.none
    private var state = State.blind
    private var stateStart: Instant
    /// When the last whole report with all its content arrived.
    private var lastWhole = Instant.start
    /// The last command, until it is answered.
    private var pending: (opCode: OpCode, since: Instant)?
    /// When the fault first did harm that the board must notice, even without being blind. A command was
    /// not answered in time or was refused by a fault, or the stream was too garbled.
    private(set) var harm: Instant?
    /// When the board first told the controller its event masks, as each renewal does.
    private(set) var renewal: Instant?
    private var garble = GarbleWatch()
    private var malformedEvents: UInt64 = 0
    private var runs: [(state: State, range: Range<Instant>)] = []

    /// Begins to observe a board that may be scanning already.
    init(of board: SimulatedBoard) {
        self.board = board
        stateStart = board.clock.now
        if board.controller.truth.scanningSince != nil { request = .scan }
        board.observeTraffic { [unowned self] packet, isFromBoard in
            if isFromBoard { sent(packet) } else { took(packet) }
        }
    }

    private func recordHarm(at time: Instant) {
        harm = min(harm ?? time, time)
    }

    var isSeeing: Bool { state == .seeing }

    func look() {
        let now = board.clock.now
        let isGarbled = garble.isOverLimit(
            skippedBytes: board.controller.truth.bytesSkipped, malformedEvents: malformedEvents, now: now)
        if isGarbled { recordHarm(at: now) }
        var current = currentState()
        var start = now
        if current == .seeing, isUnheard(at: now) {
            current = .unheard
            start = lastWhole
        }
        if let pending, now > pending.since + Self.answer {
            recordHarm(at: pending.since + Self.answer)
            if current != .blind {
                current = .blind
                start = pending.since + Self.answer
            }
        }
        if current == state { return }
        start = max(start, stateStart)
        runs.append((state, stateStart..<start))
        state = current
        stateStart = start
    }

    /// The time ranges up to now in which the radio could receive, including short interruptions.
    func seeing() -> TimeRanges {
        seeing(away: Self.longest.away - Self.tolerance, unheard: Self.longest.unheard - Self.tolerance)
    }

    /// The time ranges that may count as blind or not.
    func undecided() -> TimeRanges {
        let span = Instant.start..<board.clock.now
        let most = seeing(
            away: Self.longest.away + Self.tolerance, unheard: Self.longest.unheard + Self.tolerance)
        return most.intersection(seeing().inverted(within: span))
    }

    /// Counts interruptions of at most these lengths as reception.
    private func seeing(away: Interval, unheard: Interval) -> TimeRanges {
        let now = board.clock.now
        let runs = runs + [(state, stateStart..<max(now, stateStart))]
        var stretches = TimeRanges()
        var index = 0
        while index < runs.count {
            let end = runs[index...].firstIndex { $0.state == .seeing } ?? runs.count
            if end == index {
                stretches.append(runs[index].range)
                index += 1
                continue
            }
            // An interruption between two times of reception: a pause, a moment without whole packets, or
            // both in sequence.
            if index > 0, end < runs.count, Self.isMoment(runs[index..<end], away: away, unheard: unheard) {
                runs[index..<end].forEach { stretches.append($0.range) }
            }
            index = end
        }
        return stretches
    }

    private static func isMoment(
        _ runs: ArraySlice<(state: State, range: Range<Instant>)>, away: Interval, unheard: Interval
    ) -> Bool {
        let isEachShort = runs.allSatisfy { run in
            switch run.state {
            case .away: run.range.length <= away
            case .unheard: run.range.length <= unheard
            case .seeing: true
            case .blind: false
            }
        }
        return isEachShort && runs.reduce(.zero) { $0 + $1.range.length } <= unheard
    }

    private func currentState() -> State {
        let controller = board.controller
        guard controller.transport.isOpen, controller.isPresent, !controller.isWedged,
            !controller.faults.all.contains(where: \.spoilsReadings)
        else {
            if !controller.transport.isOpen { request = .none }
            return .blind
        }
        switch request {
        case .none: return .blind
        case .pause: return .away
        case .scan: return controller.truth.scanningSince == nil ? .blind : .seeing
        }
    }

    /// Whether all that arrives is damaged.
    private func isUnheard(at now: Instant) -> Bool {
        board.controller.faults.has(.corruptedStream)
            && now > lastWhole + Self.unheardLimit
    }

    private func took(_ packet: [UInt8]) {
        if packet.first == PacketIndicator.event.rawValue, !Self.isEvent(packet) { malformedEvents += 1 }
        didReceiveAnswer(packet)
        // After a Hardware Error the board wants nothing of its controller until it resets it.
        if case .hardwareError? = try? Event(packet.span) { request = .none }
        guard case .advertisingReports(var reports)? = try? Event(packet.span) else { return }
        while let report = reports.next() {
            guard report.data.count > 0, report.rssi != nil, report.kind != .scanResponse else { continue }
            lastWhole = board.clock.now
        }
    }

    private static func isEvent(_ packet: [UInt8]) -> Bool {
        do throws(EventError) { _ = try Event(packet.span) } catch { return false }
        return true
    }

    private func didReceiveAnswer(_ packet: [UInt8]) {
        if let pending, OpCode.answered(by: packet) == pending.opCode { self.pending = nil }
    }

    private func sent(_ packet: [UInt8]) {
        guard let opCode = OpCode.sent(in: packet) else { return }
        pending = (opCode, board.clock.now)
        if board.controller.isRefusedByFault(opCode) {
            recordHarm(at: board.clock.now)
        }
        if opCode == .reset { request = .none }
        if opCode == .setEventMask { renewal = renewal ?? board.clock.now }
        if opCode == .leSetScanEnable, packet.count >= 5 { request = packet[4] == 1 ? .scan : .pause }
    }
}

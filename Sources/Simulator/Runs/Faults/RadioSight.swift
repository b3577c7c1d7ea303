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
    private static let momentMilliseconds = (away: 3_000, unheard: 4_000)
    /// Durations this near to the limits may count either way, because an agent looks only ten times a
    /// second.
    private static let doubtMilliseconds = 150
    /// The longest normal time between reports.
    private static let unheardMilliseconds: UInt64 = 300
    /// A controller that has not answered for longer does not obey.
    private static let answerMilliseconds: UInt64 = 4_000

    private let board: SimulatedBoard
    private var request = Request.none
    private var state = State.blind
    private var stateMilliseconds: UInt64
    /// When the last whole report with all its content arrived.
    private var lastWholeMilliseconds: UInt64 = 0
    /// The last command, until it is answered.
    private var pending: (opCode: OpCode, sinceMilliseconds: UInt64)?
    /// When the fault first did harm that the board must notice, even without being blind. A command was
    /// not answered in time or was refused by a fault, or the stream was too garbled.
    private(set) var harmMilliseconds: UInt64?
    private var garble = GarbleWatch()
    private var malformedEvents: UInt64 = 0
    private var runs: [(state: State, range: Range<UInt64>)] = []

    /// Begins to observe a board that may be scanning already.
    init(of board: SimulatedBoard) {
        self.board = board
        stateMilliseconds = board.clock.monotonicMilliseconds
        if board.controller.truth.scanningSince != nil { request = .scan }
        board.observeTraffic { [unowned self] packet, isFromBoard in
            if isFromBoard { sent(packet) } else { took(packet) }
        }
    }

    private func noteHarm(atMilliseconds time: UInt64) {
        harmMilliseconds = min(harmMilliseconds ?? time, time)
    }

    var isSeeing: Bool { state == .seeing }

    func look() {
        let now = board.clock.monotonicMilliseconds
        let isGarbled = garble.isOverLimit(
            skippedBytes: board.controller.truth.bytesSkipped, malformedEvents: malformedEvents,
            nowMilliseconds: now)
        if isGarbled { noteHarm(atMilliseconds: now) }
        var current = currentState()
        var start = now
        if current == .seeing, isUnheard(atMilliseconds: now) {
            current = .unheard
            start = lastWholeMilliseconds
        }
        if let pending, now > pending.sinceMilliseconds + Self.answerMilliseconds {
            noteHarm(atMilliseconds: pending.sinceMilliseconds + Self.answerMilliseconds)
            if current != .blind {
                current = .blind
                start = pending.sinceMilliseconds + Self.answerMilliseconds
            }
        }
        if current == state { return }
        start = max(start, stateMilliseconds)
        runs.append((state, stateMilliseconds..<start))
        state = current
        stateMilliseconds = start
    }

    /// The time ranges up to now in which the radio could receive, including short interruptions.
    func seeing() -> TimeRanges { seeing(doubtMilliseconds: -Self.doubtMilliseconds) }

    /// The time ranges that may count as blind or not.
    func undecided() -> TimeRanges {
        let span = 0..<board.clock.monotonicMilliseconds
        return seeing(doubtMilliseconds: Self.doubtMilliseconds).intersection(seeing().inverted(within: span))
    }

    /// - Parameter doubt: How much an interruption may exceed its limit.
    private func seeing(doubtMilliseconds doubt: Int) -> TimeRanges {
        let now = board.clock.monotonicMilliseconds
        let runs = runs + [(state, stateMilliseconds..<max(now, stateMilliseconds))]
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
            if index > 0, end < runs.count, Self.isMoment(runs[index..<end], doubt) {
                runs[index..<end].forEach { stretches.append($0.range) }
            }
            index = end
        }
        return stretches
    }

    private static func isMoment(
        _ runs: ArraySlice<(state: State, range: Range<UInt64>)>, _ doubtMilliseconds: Int
    ) -> Bool {
        let limits = (
            away: momentMilliseconds.away + doubtMilliseconds,
            unheard: momentMilliseconds.unheard + doubtMilliseconds
        )

        let isEachShort = runs.allSatisfy { run in
            switch run.state {
            case .away: run.range.count <= limits.away
            case .unheard: run.range.count <= limits.unheard
            case .seeing: true
            case .blind: false
            }
        }
        return isEachShort && runs.reduce(0) { $0 + $1.range.count } <= limits.unheard
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
    private func isUnheard(atMilliseconds now: UInt64) -> Bool {
        board.controller.faults.has(.corruptedStream)
            && now > lastWholeMilliseconds + Self.unheardMilliseconds
    }

    private func took(_ packet: [UInt8]) {
        if packet.first == PacketIndicator.event.rawValue, !Self.isEvent(packet) { malformedEvents += 1 }
        noteAnswer(packet)
        guard case .advertisingReports(var reports)? = try? Event(packet.span) else { return }
        while let report = reports.next() {
            guard report.data.count > 0, report.rssi != nil, report.kind != .scanResponse else { continue }
            lastWholeMilliseconds = board.clock.monotonicMilliseconds
        }
    }

    private static func isEvent(_ packet: [UInt8]) -> Bool {
        do throws(EventError) { _ = try Event(packet.span) } catch { return false }
        return true
    }

    private func noteAnswer(_ packet: [UInt8]) {
        if let pending, OpCode.answered(by: packet) == pending.opCode { self.pending = nil }
    }

    private func sent(_ packet: [UInt8]) {
        guard let opCode = OpCode.sent(in: packet) else { return }
        pending = (opCode, board.clock.monotonicMilliseconds)
        if board.controller.isRefusedByFault(opCode) {
            noteHarm(atMilliseconds: board.clock.monotonicMilliseconds)
        }
        if opCode == .reset { request = .none }
        if opCode == .leSetScanEnable, packet.count >= 5 { request = packet[4] == 1 ? .scan : .pause }
    }
}

import HCI

/// When a board's radio could see, in truth: the scan was asked for and ran, in the mode that was asked for, and
/// nothing kept a reading from its board. Looked at whenever ``look()`` is called, so as exact as those calls are close.
/// docs/radio-supervisor.md, "What blind means".
final class RadioSight {
    private enum State {
        case seeing
        /// The scan was told to stop: for a moment, or it is blind.
        case away
        /// Nothing arrives whole: for a moment, or it is blind.
        case unheard
        case blind
    }

    /// What the board last asked of the scan.
    private enum Request { case none, scan, pause }

    /// Scanning pauses so long in the board's normal round; and so long nobody may be heard by chance, with the tenth
    /// of a second between an agent's looks.
    private static let momentMilliseconds = (away: 3_000, unheard: 4_100)
    /// Reports come closer together than this.
    private static let unheardMilliseconds: UInt64 = 300

    private let board: SimulatedBoard
    private var request = Request.none
    private var state = State.blind
    private var stateMilliseconds: UInt64
    /// When a report last arrived whole and with all its content.
    private var lastWholeMilliseconds: UInt64 = 0
    private var runs: [(state: State, range: Range<UInt64>)] = []

    /// The board may be scanning already.
    init(of board: SimulatedBoard) {
        self.board = board
        stateMilliseconds = board.clock.monotonicMilliseconds
        if board.controller.truth.scanningSince != nil { request = .scan }
        board.observeTraffic { [unowned self] packet, isFromBoard in
            if isFromBoard { sent(packet) } else { took(packet) }
        }
    }

    var isSeeing: Bool { state == .seeing }

    func look() {
        let now = board.clock.monotonicMilliseconds
        var current = currentState()
        var start = now
        if current == .seeing, isUnheard(atMilliseconds: now) {
            current = .unheard
            start = lastWholeMilliseconds
        }
        if current == state { return }
        start = max(start, stateMilliseconds)
        runs.append((state, stateMilliseconds..<start))
        state = current
        stateMilliseconds = start
    }

    /// Up to now.
    func seeing() -> Stretches {
        let now = board.clock.monotonicMilliseconds
        let runs = runs + [(state, stateMilliseconds..<max(now, stateMilliseconds))]
        var stretches = Stretches()
        var index = 0
        while index < runs.count {
            let end = runs[index...].firstIndex { $0.state == .seeing } ?? runs.count
            if end == index {
                stretches.append(runs[index].range)
                index += 1
                continue
            }
            // Between two times of seeing: a pause, a moment in which nothing came whole, or one behind the other.
            if index > 0, end < runs.count, Self.isMoment(runs[index..<end]) {
                runs[index..<end].forEach { stretches.append($0.range) }
            }
            index = end
        }
        return stretches
    }

    private static func isMoment(_ runs: ArraySlice<(state: State, range: Range<UInt64>)>) -> Bool {
        let isEachShort = runs.allSatisfy { run in
            switch run.state {
            case .away: run.range.count <= momentMilliseconds.away
            case .unheard: run.range.count <= momentMilliseconds.unheard
            case .seeing: true
            case .blind: false
            }
        }
        return isEachShort && runs.reduce(0) { $0 + $1.range.count } <= momentMilliseconds.unheard
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

    /// All that comes is damaged.
    private func isUnheard(atMilliseconds now: UInt64) -> Bool {
        board.controller.faults.has(.corruptedStream)
            && now > lastWholeMilliseconds + Self.unheardMilliseconds
    }

    private func took(_ packet: [UInt8]) {
        guard packet.count > 4, packet[0] == PacketIndicator.event.rawValue, packet[1] == 0x3e, packet[3] == 2
        else { return }
        var reports = AdvertisingReports(packet.span.extracting(4..<packet.count))
        while let report = reports.next() {
            guard report.data.count > 0, report.rssi != nil, report.kind != .scanResponse else { continue }
            lastWholeMilliseconds = board.clock.monotonicMilliseconds
        }
    }

    private func sent(_ packet: [UInt8]) {
        guard packet.count >= 4, packet[0] == PacketIndicator.command.rawValue else { return }
        let opCode = OpCode(rawValue: UInt16(packet[1]) | UInt16(packet[2]) << 8)
        if opCode == .reset { request = .none }
        if opCode == .leSetScanEnable, packet.count >= 5 { request = packet[4] == 1 ? .scan : .pause }
    }
}

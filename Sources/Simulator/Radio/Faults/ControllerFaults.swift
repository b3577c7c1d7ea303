/// The current faults of a controller, and the past ones.
public final class ControllerFaults {
    /// One occurrence of a fault.
    public struct Record: Sendable {
        public let fault: ControllerFault
        public let cure: FaultCure
        public let began: SimulatedTime
        /// When the fault's cause ended.
        public fileprivate(set) var ended: SimulatedTime?
        /// When the controller worked again; not before `ended`.
        public fileprivate(set) var cured: SimulatedTime?
    }

    /// The latest occurrences, oldest first; at most a thousand.
    public private(set) var history: [Record] = []
    /// The number of reports per second in a flood.
    public var floodPerSecond: UInt64 = 2_000
    /// The adverts of a flood, if it is somebody's; nil for random bytes from random addresses.
    public var floodAdverts: FloodAdverts?
    /// The number of such adverts so far.
    public internal(set) var floodAdvertCount: UInt64 = 0
    /// A corrupted stream loses or changes one byte in this many, on average.
    public var bytesPerCorruption: UInt64 = 400
    /// Whether a corrupted stream also damages what the host sends.
    public var damagesCommands = true

    /// The current faults as a bit set, because it is tested for each packet.
    private var inEffect: UInt32 = 0
    private unowned let controller: SimulatedController

    init(of controller: SimulatedController) { self.controller = controller }

    public func has(_ fault: ControllerFault) -> Bool { inEffect >> UInt32(fault.rawValue) & 1 == 1 }

    public var isAny: Bool { inEffect != 0 }

    /// Whether one of these faults is present, or ended less than `duration` ago.
    func had(_ faults: [ControllerFault], within duration: SimulatedDuration) -> Bool {
        history.contains { record in
            guard faults.contains(record.fault) else { return false }
            return record.cured.map { controller.world.now < $0 + duration } ?? true
        }
    }

    /// Whether a fault is present that began while `other` was.
    func has(_ fault: ControllerFault, begunDuring other: ControllerFault) -> Bool {
        guard has(fault), let began = history.last(where: { $0.fault == fault })?.began else { return false }
        return history.contains { $0.fault == other && $0.began <= began && began <= $0.cured ?? began }
    }

    public var all: [ControllerFault] { ControllerFault.allCases.filter(has) }

    /// Whether a fault makes the board receive nothing.
    public var isBlind: Bool { isAny && all.contains(where: \.blinds) }

    /// Begins a fault, unless it is present already.
    ///
    /// - Parameter cure: Nil for the usual one.
    public func begin(_ fault: ControllerFault, cure: FaultCure? = nil) {
        guard !history.contains(where: { $0.fault == fault && $0.cured == nil }) else { return }
        if history.count == 1_000 { history.removeFirst() }
        history.append(Record(fault: fault, cure: cure ?? fault.usualCure, began: controller.world.now))
        inEffect |= 1 << UInt32(fault.rawValue)
        controller.world.record(.fault, UInt64(fault.rawValue))
        controller.faultBegan(fault)
    }

    /// Ends the cause of a fault. The fault may still need a cure.
    public func end(_ fault: ControllerFault) {
        for index in history.indices where history[index].fault == fault && history[index].ended == nil {
            history[index].ended = controller.world.now
            if history[index].cure == .byItself { cure(index) }
        }
    }

    public func endAll() {
        for fault in ControllerFault.allCases { end(fault) }
    }

    /// Applies an action of the host to all faults that it can cure.
    func hostDid(_ action: FaultCure) {
        guard isAny else { return }
        for index in history.indices
        where history[index].ended != nil && history[index].cured == nil && history[index].cure <= action {
            cure(index)
        }
    }

    /// Whether `action` would cure the fault now. Such an action gets through to a controller that accepts
    /// nothing else.
    func isCurable(_ fault: ControllerFault, by action: FaultCure) -> Bool {
        history.contains { $0.fault == fault && $0.ended != nil && $0.cured == nil && $0.cure <= action }
    }

    private func cure(_ index: Int) {
        history[index].cured = controller.world.now
        inEffect &= ~(1 << UInt32(history[index].fault.rawValue))
        controller.world.record(.fault, 0x100 | UInt64(history[index].fault.rawValue))
        controller.faultCured(history[index].fault)
    }
}

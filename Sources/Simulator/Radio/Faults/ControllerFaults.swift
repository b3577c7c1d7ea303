/// The faults that a controller has at the moment, and those it has had.
public final class ControllerFaults {
    /// One occurrence.
    public struct Record: Sendable {
        public let fault: ControllerFault
        public let cure: FaultCure
        public let began: SimulatedTime
        /// When its cause went away.
        public fileprivate(set) var ended: SimulatedTime?
        /// When the controller behaved again: not before it ended.
        public fileprivate(set) var cured: SimulatedTime?
    }

    /// The latest, oldest first; a thousand at most.
    public private(set) var history: [Record] = []
    /// Reports that a flood brings, a second.
    public var floodPerSecond: UInt64 = 2_000
    /// Bytes of which a corrupted stream loses or changes one, on average.
    public var bytesPerCorruption: UInt64 = 400
    /// Whether it damages what the host sends, too.
    public var damagesCommands = true

    /// Bits of those in effect: looked at for each packet.
    private var inEffect: UInt32 = 0
    private unowned let controller: SimulatedController

    init(of controller: SimulatedController) { self.controller = controller }

    public func has(_ fault: ControllerFault) -> Bool { inEffect >> UInt32(fault.rawValue) & 1 == 1 }

    public var isAny: Bool { inEffect != 0 }

    /// Whether one of these is there, or was so short a while ago.
    func had(_ faults: [ControllerFault], within duration: SimulatedDuration) -> Bool {
        history.contains { record in
            guard faults.contains(record.fault) else { return false }
            return record.cured.map { controller.world.now < $0 + duration } ?? true
        }
    }

    public var all: [ControllerFault] { ControllerFault.allCases.filter(has) }

    /// Whether the board hears nobody because of a fault.
    public var isBlind: Bool { isAny && all.contains(where: \.blinds) }

    /// Begins a fault, unless it is there already. `cure`: nil for the usual one.
    public func begin(_ fault: ControllerFault, cure: FaultCure? = nil) {
        guard !history.contains(where: { $0.fault == fault && $0.cured == nil }) else { return }
        if history.count == 1_000 { history.removeFirst() }
        history.append(Record(fault: fault, cure: cure ?? fault.usualCure, began: controller.world.now))
        inEffect |= 1 << UInt32(fault.rawValue)
        controller.world.note(.fault, UInt64(fault.rawValue))
        controller.faultBegan(fault)
    }

    /// Its cause has gone. It may need a cure yet.
    public func end(_ fault: ControllerFault) {
        for index in history.indices where history[index].fault == fault && history[index].ended == nil {
            history[index].ended = controller.world.now
            if history[index].cure == .byItself { cure(index) }
        }
    }

    public func endAll() {
        for fault in ControllerFault.allCases { end(fault) }
    }

    /// The host has done something that may cure.
    func hostDid(_ action: FaultCure) {
        guard isAny else { return }
        for index in history.indices
        where history[index].ended != nil && history[index].cured == nil && history[index].cure <= action {
            cure(index)
        }
    }

    /// Whether `action`, done now, would cure: then it gets through to a controller that takes nothing else.
    func isCurable(_ fault: ControllerFault, by action: FaultCure) -> Bool {
        history.contains { $0.fault == fault && $0.ended != nil && $0.cured == nil && $0.cure <= action }
    }

    private func cure(_ index: Int) {
        history[index].cured = controller.world.now
        inEffect &= ~(1 << UInt32(history[index].fault.rawValue))
        controller.world.note(.fault, 0x100 | UInt64(history[index].fault.rawValue))
        controller.faultCured(history[index].fault)
    }
}

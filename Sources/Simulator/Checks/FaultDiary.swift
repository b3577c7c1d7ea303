/// The faults that occurred, with their time ranges. A radio fault lasts until it is cured.
final class FaultDiary {
    struct Span {
        let kind: FaultKind
        let start: SimulatedTime
        /// The fault's end; `.never` while it lasts.
        var end = SimulatedTime.never
    }

    private var boardSpans: [Span] = []
    private unowned let world: World
    private unowned let controller: SimulatedController

    init(of controller: SimulatedController, in world: World) {
        self.controller = controller
        self.world = world
    }

    func begin(_ fault: BoardFault) { boardSpans.append(Span(kind: .board(fault), start: world.now)) }

    func end(_ fault: BoardFault) {
        guard let index = boardSpans.lastIndex(where: { $0.kind == .board(fault) && $0.end == .never }) else {
            return
        }
        boardSpans[index].end = world.now
    }

    /// Records a fault without duration.
    func record(_ fault: BoardFault) {
        boardSpans.append(Span(kind: .board(fault), start: world.now, end: world.now))
    }

    var spans: [Span] {
        boardSpans
            + controller.faults.history.map {
                Span(kind: .radio($0.fault), start: $0.began, end: $0.cured ?? .never)
            }
    }

    var kinds: Set<FaultKind> { Set(spans.map(\.kind)) }

    /// Whether any of these faults was present between two times.
    func had(_ isIncluded: (FaultKind) -> Bool, from start: SimulatedTime, to end: SimulatedTime) -> Bool {
        let hadBoardFault = boardSpans.contains { $0.start <= end && $0.end >= start && isIncluded($0.kind) }
        return hadBoardFault
            || controller.faults.history.contains {
                $0.began <= end && ($0.cured ?? .never) >= start && isIncluded(.radio($0.fault))
            }
    }

    /// Whether the controller garbled or doubled its events in the last 30 seconds, or restarted without a
    /// word and numbers its links anew. The agent may then be wrong about the peer of a link.
    func hadGarbled(before now: SimulatedTime) -> Bool {
        had({ $0.garbles || $0 == .radio(.restart) }, from: now - .seconds(30), to: now)
    }

    func hasNow(_ isIncluded: (FaultKind) -> Bool) -> Bool { had(isIncluded, from: world.now, to: world.now) }
}

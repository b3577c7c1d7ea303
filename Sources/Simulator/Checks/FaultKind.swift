/// All faults that may occur in a world. The type that fails documents each of them.
public enum FaultKind: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case radio(ControllerFault)
    case board(BoardFault)

    public static var allCases: [FaultKind] {
        ControllerFault.allCases.map { .radio($0) } + BoardFault.allCases.map { .board($0) }
    }

    /// The kinds from which the first draw of a seed takes its faults, and the kinds that a later draw adds.
    /// So earlier seeds keep their faults.
    static var earlier: [FaultKind] { allCases.filter { !$0.isLater } }
    static var later: [FaultKind] { allCases.filter(\.isLater) }

    private var isLater: Bool {
        if case .radio(let fault) = self {
            fault.rawValue > ControllerFault.untoldEndings.rawValue
        } else {
            false
        }
    }

    public var description: String {
        switch self {
        case .radio(let fault): "\(fault)"
        case .board(let fault): "\(fault)"
        }
    }
}

extension FaultKind {
    var isOfRadio: Bool { if case .radio = self { true } else { false } }

    /// Whether the fault changes bytes of a stream, so that a report may no longer be one.
    var isOfStream: Bool { self == .radio(.corruptedStream) }

    /// Whether the fault can turn events of one link into those of another link, or into something else.
    var garbles: Bool { self == .radio(.corruptedStream) || self == .radio(.duplicateEvents) }

    /// Whether the fault may lose log entries.
    var isOfFlash: Bool {
        switch self {
        case .board(.programFailure), .board(.eraseFailure), .board(.lostWrite), .board(.readFailure),
            .board(.bitFlip), .board(.bitFlipAtRest), .board(.wornSegment), .board(.full):
            true
        default: false
        }
    }
}

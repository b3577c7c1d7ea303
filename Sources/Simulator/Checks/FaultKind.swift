/// Everything that may fail in a world. What each means stands at the head of the part that fails.
public enum FaultKind: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case radio(ControllerFault)
    case board(BoardFault)

    public static var allCases: [FaultKind] {
        ControllerFault.allCases.map { .radio($0) } + BoardFault.allCases.map { .board($0) }
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

    /// Of a kind that makes bytes of others: a report that has come may be none any more.
    var isOfStream: Bool { self == .radio(.corruptedStream) }

    /// Of a kind by which what was said on one link may be taken for another's, or for something else.
    var garbles: Bool { self == .radio(.corruptedStream) || self == .radio(.duplicateEvents) }

    /// Of a kind for which entries may be lost.
    var isOfFlash: Bool {
        switch self {
        case .board(.programFailure), .board(.eraseFailure), .board(.lostWrite), .board(.readFailure),
            .board(.bitFlip), .board(.bitFlipAtRest), .board(.wornSegment), .board(.full):
            true
        default: false
        }
    }
}

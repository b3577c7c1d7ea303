/// What an alarm of a ``FaultScript`` is for.
enum FaultAlarm {
    /// Somebody looks after power and adapter.
    case caretaker
    /// An adapter that was gone because it was closed.
    case adapterReturns
    /// A fault by its place in the options.
    case begins(Int)
    case ends(Int)

    private static let faultNumbers: UInt32 = 2

    /// As an ``Inhabitant`` is woken with it.
    init(number: UInt32) {
        switch number {
        case 0: self = .caretaker
        case 1: self = .adapterReturns
        default:
            let ofFaults = number - Self.faultNumbers
            self = ofFaults % 2 == 0 ? .begins(Int(ofFaults / 2)) : .ends(Int(ofFaults / 2))
        }
    }

    var number: UInt32 {
        switch self {
        case .caretaker: 0
        case .adapterReturns: 1
        case .begins(let index): Self.faultNumbers + UInt32(index) * 2
        case .ends(let index): Self.faultNumbers + UInt32(index) * 2 + 1
        }
    }
}

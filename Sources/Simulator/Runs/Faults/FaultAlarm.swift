/// The purpose of an alarm of a ``FaultScript``.
enum FaultAlarm {
    /// Restores power, and removes closed adapters.
    case caretaker
    /// An adapter that disappeared when it was closed comes back.
    case adapterReturns
    /// The fault with this index in the options begins.
    case begins(Int)
    /// The fault with this index in the options ends.
    case ends(Int)

    private static let faultNumbers: UInt32 = 2

    /// Decodes the number with which the actor is woken.
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

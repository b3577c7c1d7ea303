import Agent
import Configuration
import FixedMemory

extension StoreRefusal {
    /// Writes the reason for the client's operator, on one line.
    public func write<Sink: ByteSink & ~Copyable>(to reason: inout Sink) throws(CapacityError) {
        switch self {
        case .configuration(let error): try error.write(to: &reason)
        case .unknownRecord:
            try reason.append("the record holds neither day keys nor a Sonar registration, or is damaged")
        case .notStored: try reason.append("the board cannot store it; check the board's medium")
        }
    }
}

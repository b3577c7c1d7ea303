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
        case .update(let refusal): try reason.append(refusal.sentence)
        case .notStored: try reason.append("the board cannot store it; check the board's medium")
        }
    }
}

extension UpdateRefusal {
    fileprivate var sentence: StaticString {
        switch self {
        case .notLaunched:
            "this agent was not started by the package's launcher, so nothing would start the update"
        case .onTrial:
            """
            the present agent is an update on trial; try again when it is confirmed, a minute after its \
            start
            """
        case .wrongLength: "the file is longer than an update may be, or not as long as it says"
        case .notAnnounced: "the pieces that came are not the announced file; send it again"
        case .unknownFormat: "the file is not an update that this board can read"
        case .otherArchitecture: "the agent in the file is for another kind of processor"
        case .older: "the agent in the file is older than this one; --force puts it there all the same"
        case .notStored: "the board cannot store it; check the board's medium"
        }
    }
}

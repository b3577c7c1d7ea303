import Simulator

/// The true identities of a formal test: which device has used which identity.
struct FormalIdentities {
    private var deviceOfIdentity: [[UInt8]: Int] = [:]

    mutating func record(_ identity: [UInt8], of device: Int) {
        if !identity.isEmpty { deviceOfIdentity[identity] = device }
    }

    /// Adds the board's own identities from its log.
    mutating func recordOwn(of log: BoardEncounters, device: Int) {
        for identity in log.ownIdentities { record(identity, of: device) }
    }

    func device(of identity: [UInt8]) -> Int? { deviceOfIdentity[identity] }
}

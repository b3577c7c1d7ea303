import FixedMemory
import Foundation

extension EncounterKey {
    /// Sixteen bytes that only pieces with equal keys have in common.
    var digest: Data {
        var facts = FactDigest()
        switch self {
        case .identity(let identity, let isWritten):
            facts.add(Int64(isWritten ? 2 : 1))
            facts.add(identity)
        case .address(let address, let identity, let isWritten):
            facts.add(Int64(isWritten ? 4 : 3))
            facts.add(address.bytes + [address.type])
            if let identity { facts.add(identity) }
        case .alone(let boot, let track):
            facts.add(Int64(5))
            facts.add(Int64(bitPattern: boot))
            facts.add(Int64(track))
        }
        return facts.data
    }
}

extension FactDigest {
    /// Adds what names the peer.
    fileprivate mutating func add(_ identity: Identity) {
        add(Int64(identity.scheme.rawValue))
        add(identity.name)
        add(identity.lostHash?.bytes ?? [])
    }
}

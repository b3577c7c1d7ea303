import EncounterLog

/// The common property of an encounter's pieces. Pieces with different keys are never joined.
enum EncounterKey: Hashable {
    case identity(Identity, isWritten: Bool)
    /// An address, and the identity too if it is not unique to one peer.
    case address(RecordedAddress, Identity?, isWritten: Bool)
    /// A piece that can be joined to no other.
    case alone(boot: UInt64, track: UInt32)
}

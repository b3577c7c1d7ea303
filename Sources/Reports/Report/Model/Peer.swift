import Archive
import LogContents
import Schemes

/// The unit by which the report makes rows, counts, and adds up times.
enum Peer: Hashable {
    case identity(Identity)
    /// A Herald venue, under whatever name it advertises.
    case venue(country: UInt16, state: UInt16, location: UInt32)
    case address(LogIdentity, [RecordedAddress])

    init(_ encounter: Encounter) { self.init(encounter.summary) }

    init(_ encounter: EncounterSummary) {
        self =
            encounter.identity.map(Peer.init(_:)) ?? .address(encounter.board, encounter.addresses)
    }

    init(_ identity: Identity) {
        if identity.scheme.id == .herald, let venue = try? HeraldVenue(parsing: identity.payload.span) {
            self = .venue(country: venue.country, state: venue.state, location: venue.location)
        } else {
            self = .identity(identity)
        }
    }

    var isIdentified: Bool {
        if case .address = self { return false }
        return true
    }
}

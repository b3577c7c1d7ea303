/// The tracks of a board of which an import has changed rows, by boot.
final class TouchedTracks {
    enum Tracks: Equatable {
        case numbers(Set<UInt32>)
        /// So many that the whole boot counts.
        case all
    }

    /// Beyond so many tracks of a boot the whole boot counts, so that memory stays bounded.
    private static let limit = 20_000

    /// The boots that have other records, with their touched tracks.
    private(set) var boots: [Int64: Tracks] = [:]
    /// Whether identities became known, to which entries of any track may refer.
    var hasIdentifications = false

    func add(boot: Int64) {
        if boots[boot] == nil { boots[boot] = .numbers([]) }
    }

    func add(track: UInt32, boot: Int64) {
        guard case .numbers(var tracks) = boots[boot, default: .numbers([])] else { return }
        // The dictionary lets go of the set, so that it is not copied.
        boots[boot] = .all
        tracks.insert(track)
        if tracks.count <= Self.limit { boots[boot] = .numbers(tracks) }
    }
}

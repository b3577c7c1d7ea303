import EncounterLog
import FixedMemory

/// What a peer wrote to a board, without a request, proves nothing: anybody can write anything under any
/// address. These are the rules by which readers of the log keep it apart.
extension RecordedTrack {
    /// The identities that count: of each scheme those that the board read, and the written ones only if it
    /// read none.
    public var believedIdentifications: [Identification] {
        let read = Set(identifications.filter { !$0.marks.contains(.written) }.map(\.identity.scheme))
        return identifications.filter { !$0.marks.contains(.written) || !read.contains($0.identity.scheme) }
    }

    /// The RSSI that the peer wrote, in order of time.
    public var writtenReadings: [Reading<Instant>] {
        details.compactMap { detail in
            guard case .writtenRSSI(let dBm) = detail.what else { return nil }
            return Reading(time: detail.instant, rssiDBm: dBm)
        }
    }

    /// Whether the board measured nothing of the track: the peer only wrote that it hears the board.
    public var isClaimed: Bool {
        samples.isEmpty && readings.isEmpty && readingCount ?? 0 == 0 && !writtenReadings.isEmpty
    }
}

extension BoardHistory {
    /// The same history without identities that were only written, and without tracks of which the board
    /// measured nothing.
    public func withoutWritten() -> BoardHistory {
        var history = self
        for boot in history.boots.indices {
            history.boots[boot].tracks.removeAll(where: \.isClaimed)
            for track in history.boots[boot].tracks.indices {
                history.boots[boot].tracks[track].identifications.removeAll { $0.marks.contains(.written) }
            }
        }
        return history
    }
}

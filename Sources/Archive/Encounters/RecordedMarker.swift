import EncounterLog
import LogContents

/// A moment that a board's wearer marked.
public struct RecordedMarker: Sendable, Equatable {
    public var board: LogIdentity
    public var moment: PlacedMoment
    public var origin: MarkerOrigin

    public init(board: LogIdentity, moment: PlacedMoment, origin: MarkerOrigin) {
        self.board = board
        self.moment = moment
        self.origin = origin
    }
}

extension Archive {
    /// The markers of all boards that the filter admits, in order of time; those without a clock last.
    public func markers(matching filter: EncounterFilter = .init()) throws(ArchiveError) -> [RecordedMarker] {
        var markers: [RecordedMarker] = []
        for board in try boards() where filter.admits(board: board) {
            markers += RecordedMarker.all(of: try history(of: board.identity))
        }
        markers.removeAll { !filter.admits($0.moment.time, on: $0.moment.timeline) }
        return PlacedMoment.inOrder(markers, \.moment)
    }
}

extension RecordedMarker {
    static func all(of history: BoardHistory) -> [RecordedMarker] {
        zip(history.boots, history.placements()).flatMap { boot, placement in
            boot.markers.map {
                RecordedMarker(
                    board: history.board, moment: PlacedMoment($0.instant, on: placement),
                    origin: $0.origin)
            }
        }
    }
}

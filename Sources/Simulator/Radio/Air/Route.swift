/// The position of a station over time. It moves from each stop to the next at constant speed, and stays at
/// the last one.
public struct Route: Sendable {
    public struct Stop: Sendable {
        let time: SimulatedTime
        let place: Position
    }

    private let stops: [Stop]
    /// The index of the last stop passed. It only grows, because time only moves forward.
    private var passed = 0

    public init(standingAt place: Position) { stops = [Stop(time: .zero, place: place)] }

    /// - Parameter stops: At least one stop, in ascending order of time.
    public init?(_ stops: [(SimulatedTime, Position)]) {
        guard !stops.isEmpty, zip(stops, stops.dropFirst()).allSatisfy({ $0.0 <= $1.0 }) else { return nil }
        self.stops = stops.map { Stop(time: $0.0, place: $0.1) }
    }

    mutating func place(at time: SimulatedTime) -> Position {
        while passed + 1 < stops.count, stops[passed + 1].time <= time { passed += 1 }
        let from = stops[passed]
        guard passed + 1 < stops.count, time > from.time else { return from.place }
        let to = stops[passed + 1]
        let part = Double((time - from.time).microseconds) / Double((to.time - from.time).microseconds)
        return Position(
            from.place.east + (to.place.east - from.place.east) * part,
            from.place.north + (to.place.north - from.place.north) * part)
    }
}

/// A place on the ground, in metres.
public struct Position: Equatable, Sendable {
    public var east: Double
    public var north: Double

    public init(_ east: Double, _ north: Double) {
        self.east = east
        self.north = north
    }

    func squaredDistance(to other: Position) -> Double {
        let (x, y) = (east - other.east, north - other.north)
        return x * x + y * y
    }
}

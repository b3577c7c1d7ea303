/// Microseconds since the world began.
public struct SimulatedTime: Comparable, Hashable, Sendable {
    public let microseconds: UInt64

    public init(microseconds: UInt64) { self.microseconds = microseconds }

    public static func < (left: SimulatedTime, right: SimulatedTime) -> Bool {
        left.microseconds < right.microseconds
    }
}

/// A length of simulated time; never negative.
public struct SimulatedDuration: Comparable, Hashable, Sendable {
    public let microseconds: UInt64

    private init(_ microseconds: UInt64) { self.microseconds = microseconds }

    public static let zero = SimulatedDuration(0)
    public static func microseconds(_ count: UInt64) -> Self { Self(count) }
    public static func milliseconds(_ count: UInt64) -> Self { Self(count * 1_000) }
    public static func seconds(_ count: UInt64) -> Self { Self(count * 1_000_000) }
    public static func minutes(_ count: UInt64) -> Self { seconds(count * 60) }
    public static func hours(_ count: UInt64) -> Self { seconds(count * 3_600) }
    public static func days(_ count: UInt64) -> Self { hours(count * 24) }
    /// A duration in the controller's unit of 0.625 ms.
    static func slots(_ count: UInt16) -> Self { Self(UInt64(count) * 625) }

    public var milliseconds: UInt64 { microseconds / 1_000 }
    public var seconds: Double { Double(microseconds) / 1_000_000 }

    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }
    public static func + (left: Self, right: Self) -> Self { Self(left.microseconds + right.microseconds) }
    public static func * (duration: Self, factor: UInt64) -> Self { Self(duration.microseconds * factor) }
}

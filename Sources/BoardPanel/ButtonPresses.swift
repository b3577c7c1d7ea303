import FixedMemory

/// Tells a press of the button from a hold.
public struct ButtonPresses: BitwiseCopyable, Sendable {
    public enum Press: BitwiseCopyable, Equatable, Sendable {
        /// The button was down for less than ``ButtonPresses/holdTime``.
        case short
        /// The button has been down for that long. It need not be up yet.
        case held
    }

    public static let holdTime = Interval.seconds(3)

    private var downSince: Instant?
    private var isHandled = false

    public init() {}

    /// Takes a change of the button.
    public mutating func change(isDown: Bool, now: Instant) -> Press? {
        guard isDown else {
            defer { downSince = nil }
            guard let downSince, !isHandled else { return nil }
            return now >= downSince + Self.holdTime ? .held : .short
        }
        // A second button that goes down meanwhile is part of the same press.
        guard downSince == nil else { return nil }
        downSince = now
        isHandled = false
        return nil
    }

    /// When a button that stays down counts as held.
    public var deadline: Instant {
        guard let downSince, !isHandled else { return .distantFuture }
        return downSince + Self.holdTime
    }

    /// Looks whether the button has been held long enough; true once for each hold.
    public mutating func takeHold(now: Instant) -> Bool {
        guard now >= deadline else { return false }
        isHandled = true
        return true
    }
}

import FixedMemory

/// How a light flashes: a number of flashes, and a pause before they come again.
public struct LightPattern: BitwiseCopyable, Equatable, Sendable {
    public let flashCount: UInt64
    public let flash: Interval
    /// The dark time behind each flash.
    public let gap: Interval
    /// The dark time behind the last flash's gap.
    public let pause: Interval

    init(_ flashCount: UInt64, flash: Interval, gap: Interval = .milliseconds(300), pause: Interval) {
        self.flashCount = flashCount
        self.flash = flash
        self.gap = gap
        self.pause = pause
    }

    /// The pattern of a state. People count the flashes; docs/panel.md has the table.
    public init(of state: PanelState) {
        let usual = Interval.milliseconds(200)
        switch state {
        // This flash is short and rare, because it costs energy for as long as the board works.
        case .working: self.init(1, flash: .milliseconds(50), pause: .seconds(5))
        case .clockUnknown: self.init(2, flash: usual, pause: .seconds(2))
        case .notSetUp: self.init(3, flash: usual, pause: .seconds(2))
        case .logLosing: self.init(4, flash: usual, pause: .seconds(2))
        case .radioDown: self.init(5, flash: usual, pause: .seconds(2))
        case .agentMissing: self.init(6, flash: usual, pause: .seconds(2))
        case .batteryLow: self.init(1, flash: .milliseconds(1_500), pause: .seconds(2))
        case .syncing: self.init(1, flash: .milliseconds(100), gap: .milliseconds(100), pause: .zero)
        }
    }

    /// Quick flashes for a second: what the button asked for is done.
    public static let done = LightPattern(
        10, flash: .milliseconds(50), gap: .milliseconds(50), pause: .zero)
    /// One long flash: it is not.
    public static let refused = LightPattern(1, flash: .seconds(2), gap: .zero, pause: .zero)

    /// The time until the pattern begins again.
    public var length: Interval { flashCount * (flash + gap) + pause }

    /// Whether the light is on, and for how long it stays so.
    /// - Parameter elapsed: the time since the pattern began for the first time.
    public func light(after elapsed: Interval) -> (isOn: Bool, remaining: Interval) {
        let position = elapsed % length
        let cycle = flash + gap
        let flashes = flashCount * cycle
        guard position < flashes else { return (false, length - position) }
        let place = position % cycle
        if place < flash { return (true, flash - place) }
        let isLast = position / cycle == flashCount - 1
        return (false, cycle - place + (isLast ? pause : .zero))
    }
}

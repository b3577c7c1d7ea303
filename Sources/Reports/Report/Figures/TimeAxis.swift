import Archive
import FixedMemory

/// A range of time laid out from left to right, with ticks at round times.
struct TimeAxis {
    struct Tick: Equatable {
        let x: Double
        /// The time, or at midnight the date; nil where it has no room.
        let label: String?
    }

    let range: ClosedRange<TimelinePoint>
    let left: Double
    let width: Double
    let ticks: [Tick]

    /// - Parameters:
    ///   - clock: nil for times since a boot.
    ///   - characterWidth: how wide a digit of a label is.
    init(
        covering range: ClosedRange<TimelinePoint>, left: Double, width: Double, clock: TimeText?,
        tickCount: Int, characterWidth: Double = 6.5
    ) {
        let span = max(range.length, .seconds(1))
        // A small margin on both sides keeps marks off the edge.
        let margin = span / 50
        let shown = range.lowerBound - margin...range.lowerBound + span + margin
        self.range = shown
        self.left = left
        self.width = width
        let length = Double(shown.length.milliseconds)
        let start = shown.lowerBound.milliseconds
        let times = Self.times(in: start...shown.upperBound.milliseconds, clock: clock, about: tickCount)
        let showsSeconds = times.count > 1 && times[1] - times[0] < 60_000
        let places = times.map { left + Double($0 - start) / length * width }
        ticks = times.indices.map { index in
            let label = Self.label(times[index], clock: clock, showsSeconds: showsSeconds)
            // A label at an end of the axis is held inside it, and so comes closer to its neighbour.
            let isHeld = Self.anchor((places[index] - left) / width) != "middle"
            let neighbour = index == 0 ? places.dropFirst().first : places[index - 1]
            let distance = neighbour.map { abs($0 - places[index]) } ?? .infinity
            let room = 1.5 * Double(label.count) * characterWidth + characterWidth
            return Tick(x: places[index], label: isHeld && distance < room ? nil : label)
        }
    }

    func x(_ point: TimelinePoint) -> Double {
        let length = Double(range.length.milliseconds)
        return left + Double(point.milliseconds - range.lowerBound.milliseconds) / length * width
    }

    var right: Double { left + width }

    /// The axis of figures whose width the reader's window decides: 1000 units wide.
    init(covering range: ClosedRange<TimelinePoint>, clock: TimeText?, tickCount: Int = 8) {
        self.init(
            covering: range, left: 0, width: Self.fluidWidth, clock: clock, tickCount: tickCount,
            characterWidth: Self.fluidCharacterWidth)
    }

    static let fluidWidth = 1_000.0
    /// At the width of a figure on a computer; on a phone every second label is hidden.
    private static let fluidCharacterWidth = 9.3

    /// The place of a point as a share of the width, such as "12.35%".
    func percent(_ point: TimelinePoint) -> String { Markup.percent((x(point) - left) / width) }

    /// Where a tick's label is held, so that it does not leave the figure.
    func anchor(of tick: Tick) -> String { Self.anchor((tick.x - left) / width) }

    private static func anchor(_ share: Double) -> String {
        share < 0.05 ? "start" : share > 0.95 ? "end" : "middle"
    }

    private static let steps: [Int64] = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200,
    ].map { $0 * 1_000 }
    private static let day: Int64 = 86_400_000

    // Round times are searched in milliseconds of either timeline, because ticks may lie before its origin.

    private static func times(in range: ClosedRange<Int64>, clock: TimeText?, about count: Int) -> [Int64] {
        let wanted = (range.upperBound - range.lowerBound) / Int64(max(count, 1))
        guard let step = steps.first(where: { $0 >= wanted * 3 / 4 }) else {
            return dayTimes(in: range, clock: clock, days: Int(wanted / day) + 1)
        }
        // Round times count from local midnight, because readers think in wall-clock hours.
        let origin = clock?.startOfDay(range.lowerBound) ?? 0
        var time = origin + (range.lowerBound - origin + step - 1) / step * step
        var times: [Int64] = []
        while time <= range.upperBound {
            if time >= range.lowerBound { times.append(time) }
            time += step
        }
        return times
    }

    private static func dayTimes(in range: ClosedRange<Int64>, clock: TimeText?, days: Int) -> [Int64] {
        var times: [Int64] = []
        var index = 0
        var time = clock?.startOfDay(range.lowerBound) ?? 0
        while time <= range.upperBound {
            if time >= range.lowerBound { times.append(time) }
            index += days
            time = clock?.startOfDay(range.lowerBound, adding: index) ?? Int64(index) * day
        }
        return times
    }

    private static func label(_ time: Int64, clock: TimeText?, showsSeconds: Bool) -> String {
        guard let clock else { return TimeText.relative(TimelinePoint(milliseconds: time)) }
        let wallClock = WallClockTime(clamping: time)
        if clock.startOfDay(wallClock) == wallClock { return clock.shortDate(wallClock) }
        return showsSeconds ? clock.time(wallClock) : clock.hourAndMinute(wallClock)
    }
}

extension TimeText {
    fileprivate func startOfDay(_ milliseconds: Int64, adding days: Int = 0) -> Int64 {
        Int64(clamping: startOfDay(WallClockTime(clamping: milliseconds), adding: days).milliseconds)
    }
}

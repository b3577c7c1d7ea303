import BoardPanel
import EncounterLog
import FixedMemory

/// Looks at the board's battery each minute, and at once when the circuit beside it changes its mind.
struct BatteryMonitor {
    private static let interval = Interval.minutes(1)
    /// After a reading that the agent did not take.
    private static let retryInterval = Interval.seconds(10)

    private let files: SystemFiles
    private let supply: PowerSupply
    private let lowLine: LowLine?
    private var watch: BatteryWatch
    private var wasLineLow = false
    /// When the battery is looked at next.
    private(set) var deadline = Instant.start

    init(_ devices: PanelDevices, _ options: PanelOptions, _ files: SystemFiles) {
        self.files = files
        supply = devices.supply
        lowLine = devices.lowLine
        watch = BatteryWatch(lowPercent: options.lowPercent, stopPercent: options.stopPercent)
        if !devices.hasBattery { deadline = .distantFuture }
    }

    /// Whether the board should power off before it loses its power.
    var isExhausted: Bool { watch.isExhausted }

    /// - Returns: a reading for the agent; nil if none is due.
    mutating func look(now: Instant) -> BatteryReading? {
        let isLineLow = lowLine?.isLow ?? false
        guard now >= deadline || isLineLow != wasLineLow else { return nil }
        wasLineLow = isLineLow
        deadline = now + Self.interval
        return watch.judge(supply.read(files), isLineLow: isLineLow)
    }

    mutating func retry(now: Instant) { deadline = now + Self.retryInterval }
}

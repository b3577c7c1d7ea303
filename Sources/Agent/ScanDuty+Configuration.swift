import Configuration
import EncounterLog
import Radio

extension ScanDuty {
    /// The duty of `radio.duty`; with `continuous` and `custom` the keys of scan interval and window apply.
    init(_ configuration: AgentConfiguration.Radio) {
        let near = ScanTiming(
            intervalMilliseconds: configuration.scanIntervalMilliseconds,
            windowMilliseconds: configuration.scanWindowMilliseconds)
        switch configuration.duty {
        case .continuous: self.init(near: near, quiet: near, connecting: near)
        case .custom:
            let quiet = ScanTiming(
                intervalMilliseconds: configuration.quietScanIntervalMilliseconds,
                windowMilliseconds: configuration.quietScanWindowMilliseconds)
            self.init(near: near, quiet: quiet, connecting: ScanDuty.continuous.connecting)
        case .balanced: self = .balanced
        case .saver: self = .saver
        }
    }
}

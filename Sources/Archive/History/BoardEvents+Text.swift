import EncounterLog

extension MarkerOrigin {
    /// The origin in one word, for people and programs.
    public var text: String {
        switch self {
        case .button: "button"
        case .command: "command"
        default: "origin\(rawValue)"
        }
    }
}

extension BatteryState {
    /// The state in one word, for people and programs; nil if unknown.
    public var text: String? {
        switch self {
        case .unknown: nil
        case .discharging: "discharging"
        case .charging: "charging"
        case .idle: "idle"
        default: "state\(rawValue)"
        }
    }
}

extension BatteryReading {
    /// The reading for people, such as "87 %, 3.912 V, discharging".
    public var text: String {
        let voltage = millivolts.map { millivolts in
            let (volts, rest) = millivolts.quotientAndRemainder(dividingBy: 1_000)
            return "\(volts).\(String("00\(rest)".suffix(3))) V"
        }
        let parts = [
            percent.map { "\($0) %" }, voltage, state.text, isLow ? "low" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? "nothing known" : parts.joined(separator: ", ")
    }
}

import EncounterLog
import FixedMemory

/// Readings of a battery as text: from the kernel's files, and from helper programs.
public enum BatteryText {
    /// Reads a helper's line: the charge in percent, and, if known, the voltage in millivolts and a word for
    /// the state: "87 3912 discharging". "-" stands for an unknown number.
    /// - Returns: nil if the line is none.
    public static func reading(_ line: Span<UInt8>) -> BatteryReading? {
        var words = Words(line)
        guard let first = words.next(), let percent = number(first), percent ?? 0 <= 100 else { return nil }
        var (millivolts, state) = (UInt16?.none, BatteryState.unknown)
        if let second = words.next() {
            guard let value = number(second), value ?? 0 <= 0xffff else { return nil }
            millivolts = value.map { UInt16(truncatingIfNeeded: $0) }
        }
        if let third = words.next() {
            guard let known = self.state(third) else { return nil }
            state = known
        }
        guard words.next() == nil else { return nil }
        return BatteryReading(
            percent: percent.map { UInt8(truncatingIfNeeded: $0) }, millivolts: millivolts, state: state,
            isLow: false)
    }

    /// The state of a file `status` of the kernel's class power_supply, or of a helper's word.
    public static func state(_ text: Span<UInt8>) -> BatteryState? {
        let text = trimmed(text)
        if text.isEqual(to: "Discharging") || text.isEqual(to: "discharging") { return .discharging }
        if text.isEqual(to: "Charging") || text.isEqual(to: "charging") { return .charging }
        if text.isEqual(to: "Full") || text.isEqual(to: "full") || text.isEqual(to: "Not charging")
            || text.isEqual(to: "idle")
        {
            return .idle
        }
        return text.isEqual(to: "Unknown") || text.isEqual(to: "unknown") ? .unknown : nil
    }

    /// A decimal number of a file, at most nine digits; nil if the text is none.
    public static func decimal(_ text: Span<UInt8>) -> UInt32? {
        let text = trimmed(text)
        guard (1...9).contains(text.count) else { return nil }
        var value: UInt32 = 0
        for index in text.indices {
            guard case UInt8(ascii: "0")...UInt8(ascii: "9") = text[index] else { return nil }
            value = value * 10 + UInt32(text[index] - UInt8(ascii: "0"))
        }
        return value
    }

    /// Reads a helper's number. The outer nil means that the text is invalid, the inner one that it is "-".
    private static func number(_ word: Span<UInt8>) -> UInt32?? {
        if word.isEqual(to: "-") { return .some(nil) }
        guard let value = decimal(word) else { return nil }
        return .some(value)
    }

    @_lifetime(copy text)
    private static func trimmed(_ text: Span<UInt8>) -> Span<UInt8> {
        var end = text.count
        while end > 0, text[end - 1] <= UInt8(ascii: " ") { end -= 1 }
        return text.extracting(0..<end)
    }
}

/// The words of a line, separated by spaces.
private struct Words: ~Escapable {
    private let line: Span<UInt8>
    private var position = 0

    @_lifetime(copy line)
    init(_ line: Span<UInt8>) { self.line = line }

    @_lifetime(copy self)
    mutating func next() -> Span<UInt8>? {
        while position < line.count, line[position] <= UInt8(ascii: " ") { position += 1 }
        let start = position
        while position < line.count, line[position] > UInt8(ascii: " ") { position += 1 }
        return start == position ? nil : line.extracting(start..<position)
    }
}

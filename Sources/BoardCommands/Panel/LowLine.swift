import CLinux
import FixedMemory
import LinuxPlatform

/// A line of a GPIO chip on which a circuit beside the battery says that the voltage is too low.
struct LowLine {
    private let descriptor: Int32

    /// - Parameter text: chip and number of the line, `/dev/gpiochip0:17`, or `/dev/gpiochip0:17:low` if the
    ///   line is low while the voltage is.
    /// - Returns: nil if the text is none of these.
    static func parts(of text: Span<UInt8>) -> (chip: SystemPath, number: UInt32, isActiveLow: Bool)? {
        var chip = SystemPath()
        var position = 0
        while position < text.count, text[position] != UInt8(ascii: ":") { position += 1 }
        chip.append(text.extracting(0..<position))
        var (number, digitCount) = (UInt32(0), 0)
        position += 1
        while position < text.count, case UInt8(ascii: "0")...UInt8(ascii: "9") = text[position],
            digitCount < 5
        {
            number = number * 10 + UInt32(text[position] - UInt8(ascii: "0"))
            position += 1
            digitCount += 1
        }
        guard chip.span.count > 0, digitCount > 0 else { return nil }
        let rest = text.extracting(position..<text.count)
        guard rest.isEmpty || rest.isEqual(to: ":low") else { return nil }
        return (chip, number, !rest.isEmpty)
    }

    /// - Returns: the error number if the chip does not give the line.
    static func open(
        _ parts: (chip: SystemPath, number: UInt32, isActiveLow: Bool), readiness: Readiness
    ) throws(SystemError) -> LowLine {
        let descriptor = parts.chip.withCString { clinux_open_line($0, parts.number, parts.isActiveLow) }
        try SystemError.check(descriptor)
        try readiness.add(descriptor)
        return LowLine(descriptor: descriptor)
    }

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Whether the voltage is too low.
    var isLow: Bool { clinux_read_line(descriptor) == 1 }
}

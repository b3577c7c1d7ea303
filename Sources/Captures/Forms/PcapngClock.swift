/// The clock of an interface in a pcapng file.
struct PcapngClock {
    /// The unit of time: a negative power of ten, or of two if the highest bit is set.
    var resolution: UInt8 = 6
    /// The seconds to add to each time.
    var offsetSeconds: Int64 = 0

    private static let unitsPerSecond: UInt64 = 1_000_000

    /// Converts a time in units of the clock. A time that btsnoop cannot express becomes the nearest one that
    /// it can.
    func unixMicroseconds(_ units: UInt64) -> Int64 {
        let (offset, isTooFar) = offsetSeconds.multipliedReportingOverflow(by: Int64(Self.unitsPerSecond))
        let latest = Int64.max - BtsnoopWriter.epochMicroseconds
        guard !isTooFar else { return offsetSeconds < 0 ? -BtsnoopWriter.epochMicroseconds : latest }
        let (sum, overflow) = Int64(clamping: microseconds(units)).addingReportingOverflow(offset)
        return overflow ? latest : min(max(sum, -BtsnoopWriter.epochMicroseconds), latest)
    }

    private func microseconds(_ units: UInt64) -> UInt64 {
        let exponent = Int(resolution & 0x7f)
        guard resolution & 0x80 == 0 else { return binaryMicroseconds(units, exponent) }
        guard exponent <= 6 else {
            // Twenty digits hold any number of 64 bits.
            return exponent - 6 > 19 ? 0 : units / Self.powerOfTen(exponent - 6)
        }
        let (product, overflow) = units.multipliedReportingOverflow(by: Self.powerOfTen(6 - exponent))
        return overflow ? .max : product
    }

    private func binaryMicroseconds(_ units: UInt64, _ exponent: Int) -> UInt64 {
        let product = units.multipliedFullWidth(by: Self.unitsPerSecond)
        if exponent >= 64 { return product.high >> (exponent - 64) }
        guard exponent > 0 else { return product.high > 0 ? .max : product.low }
        guard product.high >> exponent == 0 else { return .max }
        return product.high << (64 - exponent) | product.low >> exponent
    }

    private static func powerOfTen(_ exponent: Int) -> UInt64 {
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }
}

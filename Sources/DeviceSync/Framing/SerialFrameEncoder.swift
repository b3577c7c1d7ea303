import FixedMemory

/// SMP over a serial line. The frame's length (16 bits, big-endian, checksum included), the frame and its
/// CRC-16/XMODEM are encoded in Base64, in lines of at most 127 bytes. The first line starts with 06 09,
/// the others with 04 14; each ends with a line feed. Source: Zephyr, "SMP over console".
public enum SerialFrameEncoder {
    /// The Base64 digits in a full line: with two bytes before them and the line feed it has 127 bytes.
    static let digitsPerLine = 124

    /// Returns the number of bytes on the line for a frame of `frameByteCount` bytes.
    public static func encodedByteCount(frameByteCount: Int) -> Int {
        let digitCount = (frameByteCount + 4 + 2) / 3 * 4
        let lineCount = (digitCount + digitsPerLine - 1) / digitsPerLine
        return digitCount + 3 * lineCount
    }

    /// Appends the whole encoded frame, or nothing if it does not fit.
    public static func encode(
        _ frame: Span<UInt8>, into sink: inout some ByteSink & ~Copyable
    ) throws(CapacityError) {
        guard frame.count <= 0xFFFF - 2, encodedByteCount(frameByteCount: frame.count) <= sink.freeCount
        else {
            throw CapacityError()
        }
        var checksum = CRC16()
        checksum.update(frame)
        let length = frame.count + 2

        var group: UInt32 = 0
        var groupByteCount = 0
        var digitsInLine = 0
        try sink.append(6 as UInt8)
        try sink.append(9 as UInt8)
        // The length before the frame and the checksum after it are part of the Base64 data.
        for position in 0..<frame.count + 4 {
            let byte: UInt8 =
                switch position {
                case 0: UInt8(truncatingIfNeeded: length >> 8)
                case 1: UInt8(truncatingIfNeeded: length)
                case frame.count + 2: UInt8(truncatingIfNeeded: checksum.value >> 8)
                case frame.count + 3: UInt8(truncatingIfNeeded: checksum.value)
                default: frame[position - 2]
                }
            group = group << 8 | UInt32(byte)
            groupByteCount += 1
            guard groupByteCount == 3 || position == frame.count + 3 else { continue }
            if digitsInLine == digitsPerLine {
                try sink.append(0x0A as UInt8)
                try sink.append(4 as UInt8)
                try sink.append(20 as UInt8)
                digitsInLine = 0
            }
            let bits = group << UInt32(truncatingIfNeeded: 8 * (3 - groupByteCount))
            for digit in 0..<4 {
                let shift = UInt32(truncatingIfNeeded: 18 - 6 * digit)
                try sink.append(
                    digit <= groupByteCount
                        ? Base64Alphabet.digit(UInt8(truncatingIfNeeded: bits >> shift & 63))
                        : Base64Alphabet.padding)
            }
            digitsInLine += 4
            group = 0
            groupByteCount = 0
        }
        try sink.append(0x0A as UInt8)
    }
}

/// The Base64 alphabet of RFC 4648, 4.
package enum Base64Alphabet {
    static let padding = UInt8(ascii: "=")

    static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + (value - 26)
        case 52..<62: UInt8(ascii: "0") + (value - 52)
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }

    /// The six bits of a digit; nil for another character.
    package static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

import FixedMemory

/// A static random device address (Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.1).
public struct StaticRandomAddress: BitwiseCopyable, Equatable, Sendable {
    /// The bytes, little-endian, as on the air.
    public let bytes: Bytes<6>

    /// Throws unless `bytes`, little-endian, are a static random address.
    public init(_ bytes: Bytes<6>) throws(ConfigurationProblem) {
        guard bytes[5] >= 0xc0 else { throw .addressNotStatic }
        var zeroCount = bytes[5] == 0xc0 ? 1 : 0
        var oneCount = bytes[5] == 0xff ? 1 : 0
        for index in 0..<5 {
            if bytes[index] == 0 { zeroCount += 1 }
            if bytes[index] == 0xff { oneCount += 1 }
        }
        guard zeroCount < 6, oneCount < 6 else { throw .addressNotRandom }
        self.bytes = bytes
    }

    /// Parses six pairs of hexadecimal digits, most significant first, separated by colons.
    public init(parsing text: Span<UInt8>) throws(ConfigurationProblem) {
        guard let address = AdapterAddress(parsing: text) else { throw .addressMalformed }
        try self.init(address.bytes)
    }

    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        try AdapterAddress(bytes).write(to: &sink)
    }
}

func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}

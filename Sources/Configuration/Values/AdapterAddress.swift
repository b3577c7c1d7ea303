import FixedMemory

/// A Bluetooth device address of any kind in its text form: six pairs of hexadecimal digits, most significant
/// first.
public struct AdapterAddress: BitwiseCopyable, Equatable, Sendable {
    /// The bytes, little-endian, as on the air.
    public let bytes: Bytes<6>

    public init(_ bytes: Bytes<6>) { self.bytes = bytes }

    /// Parses six pairs of hexadecimal digits separated by colons.
    init?(parsing text: Span<UInt8>) {
        guard text.count == 17 else { return nil }
        var bytes = Bytes<6>()
        for index in 0..<6 {
            guard let high = hexadecimalValue(text[3 * index]),
                let low = hexadecimalValue(text[3 * index + 1]),
                index == 5 || text[3 * index + 2] == UInt8(ascii: ":")
            else { return nil }
            bytes[5 - index] = high << 4 | low
        }
        self.bytes = bytes
    }

    /// Whether the address is all zero, as that of an adapter which the kernel has not initialised yet.
    public var isUnknown: Bool { bytes == Bytes<6>() }

    /// Whether the address is known, and one that many controllers show because they were given none: six
    /// equal bytes,
    /// or the pattern 43:xx:xx:xx:1F:AC of Broadcom's and Cypress's chips (the kernel's
    /// drivers/bluetooth/btbcm.c).
    public var isDefault: Bool {
        var areEqual = !isUnknown
        for index in 1..<6 where bytes[index] != bytes[0] { areEqual = false }
        return areEqual || bytes[5] == 0x43 && bytes[1] == 0x1f && bytes[0] == 0xac
    }

    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        for index in (0..<6).reversed() {
            try sink.append(hexByte: bytes[index], uppercase: true)
            if index > 0 { try sink.append(UInt8(ascii: ":")) }
        }
    }
}

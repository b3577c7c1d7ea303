import FixedMemory

/// A 16-, 32- or 128-bit UUID of a service, characteristic or other attribute type. A short UUID equals its
/// 128-bit form over the Bluetooth base UUID, and is sent in the shortest form that ATT allows.
///
/// Bluetooth Core 5.4, Vol 3, Part B, 2.5.1.
public struct BluetoothUUID: BitwiseCopyable, Equatable, Sendable {
    /// The first sixteen hexadecimal digits of the text form.
    public let high: UInt64
    /// The last sixteen hexadecimal digits of the text form.
    public let low: UInt64

    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5f9b_34fb

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes the 16-bit UUID `short`.
    public init(_ short: UInt16) {
        high = Self.baseHigh | UInt64(truncatingIfNeeded: short) << 32
        low = Self.baseLow
    }

    /// Parses a UUID as it appears on the air: 2, 4 or 16 bytes, little-endian; nil for any other count.
    @inline(never)
    public init?(_ bytes: Span<UInt8>) {
        switch bytes.count {
        case 2, 4:
            high = Self.baseHigh | Self.littleEndian(bytes) << 32
            low = Self.baseLow
        case 16:
            low = Self.littleEndian(bytes.extracting(0..<8))
            high = Self.littleEndian(bytes.extracting(8..<16))
        default: return nil
        }
    }

    /// Parses a literal such as "FCF6" or "428132af-4746-42d3-801e-4572d65bfd9b". Traps on any other text.
    @inline(never)
    public init(_ text: StaticString) {
        guard let uuid = Self.parse(text) else { preconditionFailure("not a UUID") }
        self = uuid
    }

    /// The 16-bit form; nil if the UUID has none.
    public var short: UInt16? {
        guard low == Self.baseLow, high & 0xffff_0000_ffff_ffff == Self.baseHigh else { return nil }
        return UInt16(truncatingIfNeeded: high >> 32)
    }

    /// The number of bytes that ``append(to:)`` writes: 2 or 16.
    public var byteCount: Int { short == nil ? 16 : 2 }

    /// Appends the UUID as it appears on the air: 2 or 16 bytes, little-endian.
    public func append<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(CapacityError) {
        guard byteCount <= sink.freeCount else { throw CapacityError() }
        if let short {
            try sink.append(littleEndian: short)
        } else {
            try sink.append(littleEndian: low)
            try sink.append(littleEndian: high)
        }
    }

    /// The bytes that ``append(to:)`` writes.
    var bytes: FixedBuffer<16> {
        var bytes = FixedBuffer<16>()
        do throws(CapacityError) { try append(to: &bytes) } catch {}
        return bytes
    }

    private static func littleEndian(_ bytes: Span<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        for index in bytes.indices {
            value |= UInt64(truncatingIfNeeded: bytes[index]) << UInt64(truncatingIfNeeded: 8 * index)
        }
        return value
    }

    static func parse(_ text: StaticString) -> BluetoothUUID? {
        var value: (high: UInt64, low: UInt64) = (0, 0)
        let isLong = text.utf8CodeUnitCount == 36
        guard isLong || text.utf8CodeUnitCount == 4 else { return nil }
        for index in 0..<text.utf8CodeUnitCount {
            let character = text.utf8Start[index]
            if isLong, index == 8 || index == 13 || index == 18 || index == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexadecimalDigit(character) else { return nil }
            value = (value.high << 4 | value.low >> 60, value.low << 4 | digit)
        }
        guard isLong else { return BluetoothUUID(UInt16(truncatingIfNeeded: value.low)) }
        return BluetoothUUID(high: value.high, low: value.low)
    }

    private static func hexadecimalDigit(_ character: UInt8) -> UInt64? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            UInt64(truncatingIfNeeded: character &- UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"):
            UInt64(truncatingIfNeeded: character &- UInt8(ascii: "a") &+ 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"):
            UInt64(truncatingIfNeeded: character &- UInt8(ascii: "A") &+ 10)
        default: nil
        }
    }
}

extension BluetoothUUID {
    public static let primaryService = BluetoothUUID(0x2800)
    public static let secondaryService = BluetoothUUID(0x2801)
    public static let characteristic = BluetoothUUID(0x2803)
    public static let genericAccess = BluetoothUUID(0x1800)
    public static let genericAttribute = BluetoothUUID(0x1801)
    /// The descriptor with which a client subscribes to notifications.
    public static let clientConfiguration = BluetoothUUID(0x2902)
    public static let deviceName = BluetoothUUID(0x2a00)
    public static let appearance = BluetoothUUID(0x2a01)
}

import FixedMemory

/// A Bluetooth device address: 48 bits, and whether it is public or random.
public struct DeviceAddress: Equatable, Hashable, Sendable, BitwiseCopyable {
    /// Bits 0–47 hold the address (the byte sent first is the lowest); bit 48 is set for a random address.
    public let key: UInt64

    public static let byteCount = 6

    /// `value` holds the address in its low 48 bits.
    public init(value: UInt64, isRandom: Bool) {
        key = value & 0xffff_ffff_ffff | (isRandom ? 1 << 48 : 0)
    }

    /// Decodes an address as HCI encodes it: six bytes, least significant first, and the address type. The
    /// types 2 and 3 (an identity address that the controller has resolved) count as 0 and 1.
    @inline(__always)
    public init(littleEndian value: UInt64, addressType: UInt8) {
        self.init(value: value, isRandom: addressType & 1 == 1)
    }

    public var value: UInt64 { key & 0xffff_ffff_ffff }
    public var isRandom: Bool { key >> 48 == 1 }

    /// The address type in HCI parameters: 0 public, 1 random.
    public var addressType: UInt8 { isRandom ? 1 : 0 }

    /// The six bytes as sent on air, least significant first.
    public var bytes: Bytes<6> {
        var bytes = Bytes<6>()
        for index in 0..<6 {
            bytes[index] = UInt8(truncatingIfNeeded: value >> UInt64(truncatingIfNeeded: 8 * index))
        }
        return bytes
    }

    /// Whether this is a static random address: the two top bits are ones, and the other 46 bits are neither
    /// all zeros nor all ones. Source: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.1.
    public var isStaticRandom: Bool {
        let rest = value & 0x3fff_ffff_ffff
        return isRandom && value >> 46 == 3 && rest != 0 && rest != 0x3fff_ffff_ffff
    }

    /// Makes a static random address from the low 46 bits of `seed`.
    public static func staticRandom(seed: UInt64) -> DeviceAddress {
        var rest = seed & 0x3fff_ffff_ffff
        if rest == 0 || rest == 0x3fff_ffff_ffff { rest = 1 }
        return DeviceAddress(value: 3 << 46 | rest, isRandom: true)
    }

    /// Makes an address in the form of a resolvable private address (the two top bits are 01) from the low 46
    /// bits of `seed`. In a real one the low 24 bits are a hash of the next 22 under an identity resolving
    /// key. For this address no such key exists. Source: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.2.
    public static func privateRandom(seed: UInt64) -> DeviceAddress {
        var rest = seed & 0x3fff_ffff_ffff
        // The specification forbids 22 bits of all zeros or all ones.
        if rest >> 24 == 0 || rest >> 24 == 0x3f_ffff { rest ^= 1 << 24 }
        return DeviceAddress(value: 1 << 46 | rest, isRandom: true)
    }

    /// Makes a non-resolvable private address (the two top bits are zeros) from the low 46 bits of `seed`,
    /// for sets that accept no connections. Source: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.2.
    public static func nonResolvable(seed: UInt64) -> DeviceAddress {
        var rest = seed & 0x3fff_ffff_ffff
        if rest == 0 || rest == 0x3fff_ffff_ffff { rest = 1 }
        return DeviceAddress(value: rest, isRandom: true)
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends the address as "C0:11:22:33:44:55", most significant byte first.
    public mutating func append(_ address: DeviceAddress) throws(CapacityError) {
        for index in 0..<6 {
            if index > 0 { try append(UInt8(ascii: ":")) }
            let byte = UInt8(truncatingIfNeeded: address.value >> UInt64(truncatingIfNeeded: 40 - 8 * index))
            try append(hexByte: byte, uppercase: true)
        }
    }
}

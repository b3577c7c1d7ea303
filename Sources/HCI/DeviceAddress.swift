import FixedMemory

/// A Bluetooth device address: 48 bits and whether they are public or random.
public struct DeviceAddress: Equatable, Hashable, Sendable, BitwiseCopyable {
    /// Bits 0–47 the address (the byte sent first is the lowest), bit 48 set for a random one.
    public let key: UInt64

    public static let byteCount = 6

    /// `value` holds the address in its low 48 bits.
    public init(value: UInt64, isRandom: Bool) {
        key = value & 0xffff_ffff_ffff | (isRandom ? 1 << 48 : 0)
    }

    /// From HCI: six bytes, least significant first, and the address type. The types 2 and 3 (an identity
    /// address the controller has resolved) count as 0 and 1.
    @inline(__always)
    public init(littleEndian value: UInt64, addressType: UInt8) {
        self.init(value: value, isRandom: addressType & 1 == 1)
    }

    public var value: UInt64 { key & 0xffff_ffff_ffff }
    public var isRandom: Bool { key >> 48 == 1 }

    /// The address type of HCI parameters: 0 public, 1 random.
    public var addressType: UInt8 { isRandom ? 1 : 0 }

    /// Six bytes as on the air, least significant first.
    public var bytes: Bytes<6> {
        var bytes = Bytes<6>()
        for index in 0..<6 {
            bytes[index] = UInt8(truncatingIfNeeded: value >> UInt64(truncatingIfNeeded: 8 * index))
        }
        return bytes
    }

    /// Random and fixed for as long as the device likes: the two top bits are ones, and the other 46 are
    /// neither all zeros nor all ones. Source: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.1.
    public var isStaticRandom: Bool {
        let rest = value & 0x3fff_ffff_ffff
        return isRandom && value >> 46 == 3 && rest != 0 && rest != 0x3fff_ffff_ffff
    }

    /// A static random address made of `seed`'s low 46 bits.
    public static func staticRandom(seed: UInt64) -> DeviceAddress {
        var rest = seed & 0x3fff_ffff_ffff
        if rest == 0 || rest == 0x3fff_ffff_ffff { rest = 1 }
        return DeviceAddress(value: 3 << 46 | rest, isRandom: true)
    }

    /// An address that may change at any time, of the resolvable private form (the two top bits are 01), made of
    /// `seed`'s low 46 bits. Of such an address the low 24 bits are a hash of the next 22 under somebody's key; the key
    /// of this one exists nowhere. Source: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.2.
    public static func privateRandom(seed: UInt64) -> DeviceAddress {
        var rest = seed & 0x3fff_ffff_ffff
        // The 22 bits are neither all zeros nor all ones.
        if rest >> 24 == 0 || rest >> 24 == 0x3f_ffff { rest ^= 1 << 24 }
        return DeviceAddress(value: 1 << 46 | rest, isRandom: true)
    }

    /// An address that may change at any time, for those who take no connections (the two top bits are zeros), made of
    /// `seed`'s low 46 bits. Source: Bluetooth Core 5.4, Vol 6, Part B, 1.3.2.2.
    public static func nonResolvable(seed: UInt64) -> DeviceAddress {
        var rest = seed & 0x3fff_ffff_ffff
        if rest == 0 || rest == 0x3fff_ffff_ffff { rest = 1 }
        return DeviceAddress(value: rest, isRandom: true)
    }
}

extension ByteSink where Self: ~Copyable {
    /// "C0:11:22:33:44:55", most significant byte first.
    public mutating func append(_ address: DeviceAddress) throws(CapacityError) {
        for index in 0..<6 {
            if index > 0 { try append(UInt8(ascii: ":")) }
            let byte = UInt8(truncatingIfNeeded: address.value >> UInt64(truncatingIfNeeded: 40 - 8 * index))
            try append(hexByte: byte, uppercase: true)
        }
    }
}

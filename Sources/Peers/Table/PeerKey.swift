import FixedMemory
import HCI

/// A peer's key: the pseudo device address in its adverts, which stays when its address changes every few
/// seconds; else its address. Each kind is separate: the same digits in two kinds are two peers.
public struct PeerKey: Equatable, Hashable, BitwiseCopyable, Sendable {
    /// Bits 0–47: the address (the byte sent first is the lowest). Bit 48: random. Bit 49: pseudo.
    public let rawValue: UInt64

    @inline(__always)
    public init(_ address: DeviceAddress) { rawValue = address.key }

    /// `pseudoAddress`: in the low 48 bits.
    @inline(__always)
    public init(pseudoAddress: UInt64) {
        rawValue = pseudoAddress & 0xffff_ffff_ffff | Self.pseudoAddressFlag
    }

    private static let pseudoAddressFlag: UInt64 = 1 << 49

    @inline(__always)
    public var isPseudoAddress: Bool { rawValue & Self.pseudoAddressFlag != 0 }

    /// The address, if the key is one.
    public var address: DeviceAddress? {
        isPseudoAddress ? nil : DeviceAddress(value: rawValue, isRandom: rawValue >> 48 == 1)
    }

    /// Six bytes in the order of the air.
    public var bytes: Bytes<6> {
        DeviceAddress(value: rawValue & 0xffff_ffff_ffff, isRandom: false).bytes
    }
}

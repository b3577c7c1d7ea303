import FixedMemory
import HCI

/// What a peer is known by: the pseudo device address its adverts carry, which stays when its address changes every few
/// seconds; or else its address. Each is a name of its own: the same digits in two of them are two peers.
public struct PeerKey: Equatable, Hashable, BitwiseCopyable, Sendable {
    /// Bits 0–47 the address (the byte sent first is the lowest); bit 48 set for a random one, bit 49 for a pseudo one.
    public let rawValue: UInt64

    @inline(__always)
    public init(_ address: DeviceAddress) { rawValue = address.key }

    /// `pseudoAddress`: in its low 48 bits.
    @inline(__always)
    public init(pseudoAddress: UInt64) {
        rawValue = pseudoAddress & 0xffff_ffff_ffff | Self.pseudoAddressFlag
    }

    private static let pseudoAddressFlag: UInt64 = 1 << 49

    @inline(__always)
    public var isPseudoAddress: Bool { rawValue & Self.pseudoAddressFlag != 0 }

    /// The address, where that is what the peer is known by.
    public var address: DeviceAddress? {
        isPseudoAddress ? nil : DeviceAddress(value: rawValue, isRandom: rawValue >> 48 == 1)
    }

    /// Six bytes as on the air.
    public var bytes: Bytes<6> {
        DeviceAddress(value: rawValue & 0xffff_ffff_ffff, isRandom: false).bytes
    }
}

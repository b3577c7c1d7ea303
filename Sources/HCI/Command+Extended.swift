import FixedMemory

/// The extended commands of Bluetooth 5. Adverts are legacy ones with them too: those
/// every phone hears (HP-C01). A controller takes these commands or the older ones until its next reset, not both.
/// Source: Bluetooth Core 5.4, Vol 4, Part E, 3.1.1.
extension Command {
    private static let physicalLayer1M: UInt8 = 1

    /// 7.8.52. The set's own; the one of 7.8.4 is for scanning and connecting. Refused (0x42) before the set has
    /// parameters, and (0x0C) while it is advertising.
    public static func leSetAdvertisingSetRandomAddress(
        _ address: DeviceAddress, of set: AdvertisingSet = .connectable
    ) -> Command {
        Command(.leSetAdvertisingSetRandomAddress) { parameters throws(CapacityError) in
            try parameters.append(set.rawValue)
            try parameters.append(address.bytes)
        }
    }

    /// 7.8.53. `intervalSlots` in 0.625 ms.
    public static func leSetExtendedAdvertisingParameters(
        intervalSlots: UInt16, type: AdvertisingType, usesRandomAddress: Bool,
        of set: AdvertisingSet = .connectable
    ) -> Command {
        Command(.leSetExtendedAdvertisingParameters) { parameters throws(CapacityError) in
            try parameters.append(set.rawValue)
            try parameters.append(littleEndian: type.legacyProperties)
            for _ in 0..<2 {
                try parameters.append(littleEndian: intervalSlots)
                try parameters.append(0 as UInt8)  // of three bytes
            }
            try parameters.append(0x07 as UInt8)  // all three channels
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try parameters.append(Bytes<7>())  // no peer: undirected
            try parameters.append(0x00 as UInt8)  // anyone may scan and connect
            try parameters.append(0x7f as UInt8)  // as strong as the controller likes
            try parameters.append(physicalLayer1M)
            try parameters.append(0x00 as UInt8)
            try parameters.append(physicalLayer1M)
            try parameters.append(0x00 as UInt8)  // set identifier, for extended adverts only
            try parameters.append(0x00 as UInt8)  // no word of scan requests
        }
    }

    /// 7.8.54, all of it at once.
    public static func leSetExtendedAdvertisingData(
        _ data: FixedBuffer<31>, of set: AdvertisingSet = .connectable
    ) -> Command {
        Command(.leSetExtendedAdvertisingData) { parameters throws(CapacityError) in
            try parameters.append(set.rawValue)
            try parameters.append(0x03 as UInt8)
            try parameters.append(0x01 as UInt8)  // not to be cut up
            try parameters.append(UInt8(truncatingIfNeeded: data.count))
            try parameters.append(data.span)
        }
    }

    /// 7.8.56, until it is told otherwise or somebody connects.
    public static func leSetExtendedAdvertisingEnable(
        _ isEnabled: Bool, of set: AdvertisingSet = .connectable
    ) -> Command {
        Command(.leSetExtendedAdvertisingEnable) { parameters throws(CapacityError) in
            try parameters.append(isEnabled ? 1 : 0 as UInt8)
            try parameters.append(1 as UInt8)
            try parameters.append(set.rawValue)
            try parameters.append(littleEndian: 0 as UInt16)
            try parameters.append(0 as UInt8)
        }
    }

    /// 7.8.64. Passive; interval and window in 0.625 ms.
    public static func leSetExtendedScanParameters(
        intervalSlots: UInt16, windowSlots: UInt16, usesRandomAddress: Bool
    ) -> Command {
        Command(.leSetExtendedScanParameters) { parameters throws(CapacityError) in
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try parameters.append(0 as UInt8)
            try parameters.append(physicalLayer1M)
            try parameters.append(0 as UInt8)
            try parameters.append(littleEndian: intervalSlots)
            try parameters.append(littleEndian: windowSlots)
        }
    }

    /// 7.8.65. The duplicate filter is always off (HP-C27).
    public static func leSetExtendedScanEnable(_ isEnabled: Bool) -> Command {
        Command(.leSetExtendedScanEnable) { parameters throws(CapacityError) in
            try parameters.append(isEnabled ? 1 : 0 as UInt8)
            try parameters.append(0 as UInt8)
            try parameters.append(littleEndian: 0 as UInt16)  // until it is told otherwise
            try parameters.append(littleEndian: 0 as UInt16)
        }
    }

    /// 7.8.66, with the link parameters of 7.8.12.
    public static func leExtendedCreateConnection(
        to peer: DeviceAddress, scanIntervalSlots: UInt16, scanWindowSlots: UInt16, usesRandomAddress: Bool
    ) -> Command {
        Command(.leExtendedCreateConnection) { parameters throws(CapacityError) in
            try parameters.append(0 as UInt8)  // this peer, not the filter list
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try parameters.append(peer.addressType)
            try parameters.append(peer.bytes)
            try parameters.append(physicalLayer1M)
            try parameters.append(littleEndian: scanIntervalSlots)
            try parameters.append(littleEndian: scanWindowSlots)
            try appendLinkParameters(to: &parameters)
        }
    }
}

extension AdvertisingType {
    /// Advertising_Event_Properties of 7.8.53: legacy (bit 4), connectable (0) and scannable (1).
    fileprivate var legacyProperties: UInt16 {
        switch self {
        case .connectable: 0x0013
        case .nonConnectable: 0x0010
        }
    }
}

/// Advertising_Handle of 7.8.53: ours are four, where the controller has as many.
public enum AdvertisingSet: UInt8, BitwiseCopyable, Sendable {
    /// Under the address by which we are connected to.
    case connectable = 0
    /// Under one of its own.
    case broadcast = 1
    /// Those of two schemes, under the address of the first.
    case sonar = 2
    case bleProximity = 3
}

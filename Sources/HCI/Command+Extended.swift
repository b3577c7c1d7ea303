import FixedMemory

/// The extended commands of Bluetooth 5. The agent still sends legacy adverts with them, because every phone
/// receives those (HP-C01). Until its next reset a controller accepts either these commands or the legacy
/// ones, not both. Source: Bluetooth Core 5.4, Vol 4, Part E, 3.1.1.
extension Command {
    private static let physicalLayer1M: UInt8 = 1

    /// 7.8.52: the address of one advertising set; the address of 7.8.4 is for scanning and connecting. The
    /// controller refuses it with 0x42 before the set has parameters, and with 0x0C while the set is
    /// advertising.
    public static func leSetAdvertisingSetRandomAddress(
        _ address: DeviceAddress, of set: AdvertisingHandle = .first
    ) -> Command {
        Command(.leSetAdvertisingSetRandomAddress) { parameters throws(CapacityError) in
            try parameters.append(set.rawValue)
            try parameters.append(address.bytes)
        }
    }

    /// 7.8.53. `intervalSlots` is in units of 0.625 ms.
    public static func leSetExtendedAdvertisingParameters(
        intervalSlots: UInt16, type: AdvertisingType, usesRandomAddress: Bool,
        of set: AdvertisingHandle = .first
    ) -> Command {
        Command(.leSetExtendedAdvertisingParameters) { parameters throws(CapacityError) in
            try parameters.append(set.rawValue)
            try parameters.append(littleEndian: type.legacyProperties)
            for _ in 0..<2 {
                try parameters.append(littleEndian: intervalSlots)
                try parameters.append(0 as UInt8)  // the interval has three bytes
            }
            try parameters.append(0x07 as UInt8)  // advertise on all three channels
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try parameters.append(Bytes<7>())  // no peer address: undirected advertising
            try parameters.append(0x00 as UInt8)  // no filter: any device may scan and connect
            try parameters.append(0x7f as UInt8)  // transmit power: no preference
            try parameters.append(physicalLayer1M)
            try parameters.append(0x00 as UInt8)
            try parameters.append(physicalLayer1M)
            try parameters.append(0x00 as UInt8)  // advertising SID, used by extended adverts only
            try parameters.append(0x00 as UInt8)  // no scan request notifications
        }
    }

    /// 7.8.54: the complete data in one command.
    public static func leSetExtendedAdvertisingData(
        _ data: FixedBuffer<31>, of set: AdvertisingHandle = .first
    ) -> Command {
        Command(.leSetExtendedAdvertisingData) { parameters throws(CapacityError) in
            try parameters.append(set.rawValue)
            try parameters.append(0x03 as UInt8)
            try parameters.append(0x01 as UInt8)  // do not fragment the data
            try parameters.append(UInt8(truncatingIfNeeded: data.count))
            try parameters.append(data.span)
        }
    }

    /// 7.8.56: advertises until it is disabled or a device connects.
    public static func leSetExtendedAdvertisingEnable(
        _ isEnabled: Bool, of set: AdvertisingHandle = .first
    ) -> Command {
        Command(.leSetExtendedAdvertisingEnable) { parameters throws(CapacityError) in
            try parameters.append(isEnabled ? 1 : 0 as UInt8)
            try parameters.append(1 as UInt8)
            try parameters.append(set.rawValue)
            try parameters.append(littleEndian: 0 as UInt16)
            try parameters.append(0 as UInt8)
        }
    }

    /// 7.8.64: passive scanning; interval and window are in units of 0.625 ms.
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
            try parameters.append(littleEndian: 0 as UInt16)  // duration: scan until it is disabled
            try parameters.append(littleEndian: 0 as UInt16)
        }
    }

    /// 7.8.66, with the same link parameters as 7.8.12.
    public static func leExtendedCreateConnection(
        to peer: DeviceAddress, scanIntervalSlots: UInt16, scanWindowSlots: UInt16, usesRandomAddress: Bool
    ) -> Command {
        Command(.leExtendedCreateConnection) { parameters throws(CapacityError) in
            try parameters.append(0 as UInt8)  // connect to this peer, not to the filter list
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
    /// The Advertising_Event_Properties of 7.8.53: legacy (bit 4), connectable (0) and scannable (1).
    fileprivate var legacyProperties: UInt16 {
        switch self {
        case .connectable: 0x0013
        case .nonConnectable: 0x0010
        }
    }
}

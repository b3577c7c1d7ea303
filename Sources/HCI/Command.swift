import FixedMemory

/// One command packet with its H4 indicator: `01`, op code (2, little-endian), length (1), parameters
/// (0–255).
public struct Command: BitwiseCopyable, Sendable {
    public let opCode: OpCode
    public private(set) var packet: FixedBuffer<259>

    @inline(never)
    private init(_ opCode: OpCode, _ parameters: FixedBuffer<255> = FixedBuffer()) {
        self.opCode = opCode
        packet = FixedBuffer()
        // The packet always fits: 4 bytes and at most 255 bytes of parameters.
        try? packet.append(PacketIndicator.command.rawValue)
        try? packet.append(littleEndian: opCode.rawValue)
        try? packet.append(UInt8(truncatingIfNeeded: parameters.count))
        try? packet.append(parameters.span)
    }

    @inline(never)
    init(_ opCode: OpCode, _ fill: (inout FixedBuffer<255>) throws(CapacityError) -> Void) {
        var parameters = FixedBuffer<255>()
        try? fill(&parameters)
        self.init(opCode, parameters)
    }

    public static var reset: Command { Command(.reset) }
    public static var readLocalVersion: Command { Command(.readLocalVersion) }
    public static var readLocalSupportedCommands: Command { Command(.readLocalSupportedCommands) }
    public static var readDeviceAddress: Command { Command(.readDeviceAddress) }
    public static var readBufferSize: Command { Command(.readBufferSize) }
    public static var leReadBufferSize: Command { Command(.leReadBufferSize) }
    public static var leReadLocalFeatures: Command { Command(.leReadLocalFeatures) }
    public static var leCreateConnectionCancel: Command { Command(.leCreateConnectionCancel) }

    /// Source: Bluetooth Core 5.4, Vol 4, Part E, 7.3.1.
    public static func setEventMask(_ mask: UInt64) -> Command {
        Command(.setEventMask) { parameters throws(CapacityError) in try parameters.append(littleEndian: mask)
        }
    }

    /// 7.8.1.
    public static func leSetEventMask(_ mask: UInt64) -> Command {
        Command(.leSetEventMask) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: mask)
        }
    }

    /// 7.8.4. The controller refuses it with 0x0C while it scans or advertises.
    public static func leSetRandomAddress(_ address: DeviceAddress) -> Command {
        Command(.leSetRandomAddress) { parameters throws(CapacityError) in
            try parameters.append(address.bytes)
        }
    }

    /// 7.8.5. `intervalSlots` is in units of 0.625 ms.
    public static func leSetAdvertisingParameters(
        intervalSlots: UInt16, type: AdvertisingType, usesRandomAddress: Bool
    ) -> Command {
        Command(.leSetAdvertisingParameters) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: intervalSlots)
            try parameters.append(littleEndian: intervalSlots)
            try parameters.append(type.rawValue)
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try parameters.append(Bytes<7>())  // no peer address: undirected advertising
            try parameters.append(0x07 as UInt8)  // advertise on all three channels
            try parameters.append(0x00 as UInt8)  // no filter: any device may scan and connect
        }
    }

    /// 7.8.7: the length, followed by exactly 31 bytes.
    public static func leSetAdvertisingData(_ data: FixedBuffer<31>) -> Command {
        Command(.leSetAdvertisingData) { parameters throws(CapacityError) in
            try parameters.append(UInt8(truncatingIfNeeded: data.count))
            try parameters.append(data.span)
            for _ in 0..<data.freeCount { try parameters.append(0 as UInt8) }
        }
    }

    /// 7.8.9.
    public static func leSetAdvertisingEnable(_ isEnabled: Bool) -> Command {
        Command(.leSetAdvertisingEnable) { parameters throws(CapacityError) in
            try parameters.append(isEnabled ? 1 : 0 as UInt8)
        }
    }

    /// 7.8.10: passive scanning; interval and window are in units of 0.625 ms.
    public static func leSetScanParameters(
        intervalSlots: UInt16, windowSlots: UInt16, usesRandomAddress: Bool
    ) -> Command {
        Command(.leSetScanParameters) { parameters throws(CapacityError) in
            try parameters.append(0 as UInt8)
            try parameters.append(littleEndian: intervalSlots)
            try parameters.append(littleEndian: windowSlots)
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try parameters.append(0 as UInt8)
        }
    }

    /// 7.8.11. The duplicate filter is always off (HP-C27), because each advert gives an RSSI reading.
    public static func leSetScanEnable(_ isEnabled: Bool) -> Command {
        Command(.leSetScanEnable) { parameters throws(CapacityError) in
            try parameters.append(isEnabled ? 1 : 0 as UInt8)
            try parameters.append(0 as UInt8)
        }
    }

    /// 7.8.12, with link parameters for phones in pockets: 30–50 ms interval, no latency, 5 s supervision
    /// timeout.
    public static func leCreateConnection(
        to peer: DeviceAddress, scanIntervalSlots: UInt16, scanWindowSlots: UInt16, usesRandomAddress: Bool
    ) -> Command {
        Command(.leCreateConnection) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: scanIntervalSlots)
            try parameters.append(littleEndian: scanWindowSlots)
            try parameters.append(0 as UInt8)  // connect to this peer, not to the filter list
            try parameters.append(peer.addressType)
            try parameters.append(peer.bytes)
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try appendLinkParameters(to: &parameters)
        }
    }

    @inline(never)
    static func appendLinkParameters(to parameters: inout FixedBuffer<255>) throws(CapacityError) {
        try parameters.append(littleEndian: 24 as UInt16)  // connection interval, in units of 1.25 ms
        try parameters.append(littleEndian: 40 as UInt16)
        try parameters.append(littleEndian: 0 as UInt16)  // latency
        try parameters.append(littleEndian: 500 as UInt16)  // supervision timeout, in units of 10 ms
        try parameters.append(littleEndian: 0 as UInt16)  // connection event length: no preference
        try parameters.append(littleEndian: 0 as UInt16)
    }

    /// 7.8.18. The units are those of the peer's L2CAP request: 1.25 ms, events, 10 ms.
    public static func leConnectionUpdate(
        _ handle: ConnectionHandle, intervalMinimum: UInt16, intervalMaximum: UInt16, latency: UInt16,
        supervisionTimeout: UInt16
    ) -> Command {
        Command(.leConnectionUpdate) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: handle.rawValue)
            try parameters.append(littleEndian: intervalMinimum)
            try parameters.append(littleEndian: intervalMaximum)
            try parameters.append(littleEndian: latency)
            try parameters.append(littleEndian: supervisionTimeout)
            try parameters.append(littleEndian: 0 as UInt16)
            try parameters.append(littleEndian: 0 as UInt16)
        }
    }

    /// 7.8.26. The agent never bonds, so it never has a key.
    public static func leLongTermKeyRequestNegativeReply(_ handle: ConnectionHandle) -> Command {
        Command(.leLongTermKeyRequestNegativeReply) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: handle.rawValue)
        }
    }

    /// 7.5.4: the RSSI of a link's most recent packets.
    public static func readRSSI(_ handle: ConnectionHandle) -> Command {
        Command(.readRSSI) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: handle.rawValue)
        }
    }

    /// 7.1.6, with the reason "remote user terminated connection".
    public static func disconnect(_ handle: ConnectionHandle) -> Command {
        Command(.disconnect) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: handle.rawValue)
            try parameters.append(Status.remoteUserTerminated.rawValue)
        }
    }
}

/// The Advertising_Type of 7.8.5.
public enum AdvertisingType: UInt8, BitwiseCopyable, Sendable {
    case connectable = 0x00
    case nonConnectable = 0x03
}

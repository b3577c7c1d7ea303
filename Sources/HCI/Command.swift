import FixedMemory

/// One command packet, H4 indicator included: `01`, op code (2, little-endian), length (1), parameters (0–255).
public struct Command: BitwiseCopyable, Sendable {
    public let opCode: OpCode
    public private(set) var packet: FixedBuffer<259>

    @inline(never)
    private init(_ opCode: OpCode, _ parameters: FixedBuffer<255> = FixedBuffer()) {
        self.opCode = opCode
        packet = FixedBuffer()
        // 4 + at most 255 bytes always fit.
        try? packet.append(PacketIndicator.command.rawValue)
        try? packet.append(littleEndian: opCode.rawValue)
        try? packet.append(UInt8(truncatingIfNeeded: parameters.count))
        try? packet.append(parameters.span)
    }

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

    /// 7.8.4. Refused (0x0C) while scanning or advertising.
    public static func leSetRandomAddress(_ address: DeviceAddress) -> Command {
        Command(.leSetRandomAddress) { parameters throws(CapacityError) in
            try parameters.append(address.bytes)
        }
    }

    /// 7.8.5. `intervalSlots` in 0.625 ms.
    public static func leSetAdvertisingParameters(
        intervalSlots: UInt16, type: AdvertisingType, usesRandomAddress: Bool
    ) -> Command {
        Command(.leSetAdvertisingParameters) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: intervalSlots)
            try parameters.append(littleEndian: intervalSlots)
            try parameters.append(type.rawValue)
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try parameters.append(Bytes<7>())  // no peer: undirected
            try parameters.append(0x07 as UInt8)  // all three channels
            try parameters.append(0x00 as UInt8)  // anyone may scan and connect
        }
    }

    /// 7.8.7: the length, then always 31 bytes.
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

    /// 7.8.10. Passive; interval and window in 0.625 ms.
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

    /// 7.8.11. The duplicate filter is always off (HP-C27): each advert is an RSSI reading.
    public static func leSetScanEnable(_ isEnabled: Bool) -> Command {
        Command(.leSetScanEnable) { parameters throws(CapacityError) in
            try parameters.append(isEnabled ? 1 : 0 as UInt8)
            try parameters.append(0 as UInt8)
        }
    }

    /// 7.8.12, with link parameters fit for phones in pockets: 30–50 ms interval, no latency, 5 s supervision.
    public static func leCreateConnection(
        to peer: DeviceAddress, scanIntervalSlots: UInt16, scanWindowSlots: UInt16, usesRandomAddress: Bool
    ) -> Command {
        Command(.leCreateConnection) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: scanIntervalSlots)
            try parameters.append(littleEndian: scanWindowSlots)
            try parameters.append(0 as UInt8)  // this peer, not the filter list
            try parameters.append(peer.addressType)
            try parameters.append(peer.bytes)
            try parameters.append(usesRandomAddress ? 1 : 0 as UInt8)
            try appendLinkParameters(to: &parameters)
        }
    }

    @inline(never)
    static func appendLinkParameters(to parameters: inout FixedBuffer<255>) throws(CapacityError) {
        try parameters.append(littleEndian: 24 as UInt16)  // interval, in 1.25 ms
        try parameters.append(littleEndian: 40 as UInt16)
        try parameters.append(littleEndian: 0 as UInt16)  // latency
        try parameters.append(littleEndian: 500 as UInt16)  // supervision time-out, in 10 ms
        try parameters.append(littleEndian: 0 as UInt16)  // connection event length: no wish
        try parameters.append(littleEndian: 0 as UInt16)
    }

    /// 7.8.18. Units as in the peer's L2CAP request: 1.25 ms, events, 10 ms.
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

    /// 7.8.26: there are no bonds, so there is never a key.
    public static func leLongTermKeyRequestNegativeReply(_ handle: ConnectionHandle) -> Command {
        Command(.leLongTermKeyRequestNegativeReply) { parameters throws(CapacityError) in
            try parameters.append(littleEndian: handle.rawValue)
        }
    }

    /// 7.5.4: how strong a link's last packets were.
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

/// Advertising_Type of 7.8.5.
public enum AdvertisingType: UInt8, BitwiseCopyable, Sendable {
    case connectable = 0x00
    case nonConnectable = 0x03
}

import FixedMemory

/// The client's side: request packets. A client sends them through ``SerialFrameEncoder`` and reads the
/// answer with the same sequence number through ``SyncResponse``.
public enum SyncRequest {
    public static func parameters(sequence: UInt8) -> SMPPacket {
        SMPPacket(SMPHeader(.read, .parameters, sequence: sequence))
    }

    public static func echo(_ text: Span<UInt8>, sequence: UInt8) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .echo, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "d", text: text)
        return packet
    }

    public static func readDateTime(sequence: UInt8) -> SMPPacket {
        SMPPacket(SMPHeader(.read, .dateTime, sequence: sequence))
    }

    /// Sets the clock with the standard command, which has no field for the error: see
    /// ``setClock(_:errorMilliseconds:sequence:)``.
    public static func writeDateTime(
        _ time: WallClockTime, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var text = FixedBuffer<1024>()
        try DateTimeText.write(time, into: &text)
        var packet = SMPPacket(SMPHeader(.write, .dateTime, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "datetime", text: text.span)
        return packet
    }

    /// Requests the board's two timestamps of a four-timestamp exchange.
    public static func time(sequence: UInt8) -> SMPPacket {
        SMPPacket(SMPHeader(.read, .time, sequence: sequence))
    }

    /// Sets the board's clock. If the setting has a moment, the request may arrive late or twice.
    public static func setClock(
        _ setting: WallClockSetting, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .clock, sequence: sequence))
        let hasError = setting.errorMilliseconds != nil
        try packet.append(cborMap: 1 + (hasError ? 1 : 0) + (setting.moment == nil ? 0 : 2))
        try packet.append(key: "wall", unsigned: setting.time.milliseconds)
        if let error = setting.errorMilliseconds { try packet.append(key: "error", unsigned: UInt64(error)) }
        if let moment = setting.moment {
            try packet.append(key: "ms", unsigned: moment.instant.milliseconds)
            try packet.append(key: "boot", unsigned: moment.bootIdentifier)
        }
        return packet
    }

    /// Sets the board's clock to `time` now, with an error of at most
    /// `errorMilliseconds`.
    public static func setClock(
        _ time: WallClockTime, errorMilliseconds: UInt32, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        try setClock(WallClockSetting(time: time, errorMilliseconds: errorMilliseconds), sequence: sequence)
    }

    /// Requests as much of a file from `offset` on as fits one answer.
    public static func download(
        path: Span<UInt8>, offset: UInt64, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.read, .fileTransfer, sequence: sequence))
        try packet.append(cborMap: 2)
        try packet.append(key: "off", unsigned: offset)
        try packet.append(key: "name", text: path)
        return packet
    }

    public static func fileStatus(path: Span<UInt8>, sequence: UInt8) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.read, .fileStatus, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "name", text: path)
        return packet
    }

    /// Requests the hash of a file from `offset` on, over at most `byteCount` bytes (nil: to its end).
    public static func fileHash(
        path: Span<UInt8>, type: FileHashType, offset: UInt64 = 0, byteCount: UInt64? = nil, sequence: UInt8
    ) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.read, .fileHash, sequence: sequence))
        try packet.append(cborMap: byteCount == nil ? 3 : 4)
        try packet.append(key: "name", text: path)
        try packet.append(key: "type", text: type.name)
        try packet.append(key: "off", unsigned: offset)
        if let byteCount { try packet.append(key: "len", unsigned: byteCount) }
        return packet
    }

    /// Asks the board to send a message to peers immediately.
    public static func send(_ message: MessageRequest, sequence: UInt8) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.write, .message, sequence: sequence))
        try packet.append(cborMap: message.recipients == .all ? 2 : 3)
        try packet.append(key: "id", unsigned: UInt64(message.number))
        try packet.append(key: "data", bytes: message.data.span)
        switch message.recipients {
        case .all: break
        case .address(let address, let type):
            var whole = FixedBuffer<7>()
            try whole.append(address)
            try whole.append(type)
            try packet.append(key: "address", bytes: whole.span)
        case .identity(let identity): try packet.append(key: "identity", bytes: identity.span)
        }
        return packet
    }

    /// Requests the delivery state of a message.
    public static func messageReport(number: UInt32, sequence: UInt8) throws(CapacityError) -> SMPPacket {
        var packet = SMPPacket(SMPHeader(.read, .message, sequence: sequence))
        try packet.append(cborMap: 1)
        try packet.append(key: "id", unsigned: UInt64(number))
        return packet
    }

    public static func boardStatus(sequence: UInt8) -> SMPPacket {
        SMPPacket(SMPHeader(.read, .boardStatus, sequence: sequence))
    }
}

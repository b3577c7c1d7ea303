import FixedMemory

/// The kind of a message written to the signal characteristic. The raw value is its first byte.
public enum HeraldSignalCode: UInt8, BitwiseCopyable, Sendable {
    case payload = 1
    case rssi = 2
    case payloadSharing = 3
    case immediateSend = 4

    /// The number of bytes before a message's data.
    var headerByteCount: Int { self == .payloadSharing ? 5 : 3 }
}

/// A complete message written to the signal characteristic. Integers are little-endian.
///
/// | code | message | layout |
/// | --- | --- | --- |
/// | 01 | payload | code, length (int16), payload |
/// | 02 | RSSI | code, RSSI (int16) |
/// | 03 | payload sharing | code, RSSI (int16), length (int16), payloads |
/// | 04 | immediate send | code, length (int16), data |
public enum HeraldSignalMessage: ~Escapable {
    /// The sender's own payload.
    case payload(Span<UInt8>)
    /// How strongly the sender hears the receiver.
    case rssi(dBm: Int16)
    /// Payloads of other devices, concatenated, and how strongly the sender hears the receiver.
    case payloadSharing(rssiDBm: Int16, Span<UInt8>)
    case immediateSend(Span<UInt8>)

    /// The longest data accepted. The messages that we write are shorter, because header and data must fit
    /// the 512 bytes of an attribute.
    public static let maximumDataByteCount = 512

    /// Parses a message.
    /// - Throws: ``HeraldSignalError/incomplete`` when bytes are missing, ``HeraldSignalError/malformed`` for
    ///   an unknown code, an impossible length, or bytes after the message's end.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) throws(HeraldSignalError) {
        guard bytes.count > 0 else { throw .incomplete }
        guard let code = HeraldSignalCode(rawValue: bytes[0]) else { throw .malformed }
        let start = code.headerByteCount
        guard bytes.count >= start else { throw .incomplete }
        let dataByteCount = code == .rssi ? 0 : Int(bytes.loadUInt16(at: start - 2))
        guard dataByteCount <= Self.maximumDataByteCount, bytes.count <= start + dataByteCount else {
            throw .malformed
        }
        guard bytes.count == start + dataByteCount else { throw .incomplete }
        let data = bytes.extracting(start..<bytes.count)
        switch code {
        case .payload: self = .payload(data)
        case .rssi: self = .rssi(dBm: Int16(bitPattern: bytes.loadUInt16(at: 1)))
        case .payloadSharing:
            self = .payloadSharing(rssiDBm: Int16(bitPattern: bytes.loadUInt16(at: 1)), data)
        case .immediateSend: self = .immediateSend(data)
        }
    }

    public var code: HeraldSignalCode {
        switch self {
        case .payload: .payload
        case .rssi: .rssi
        case .payloadSharing: .payloadSharing
        case .immediateSend: .immediateSend
        }
    }

    /// Appends the message's bytes. When they do not fit, part of them may have been appended.
    public func append<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(CapacityError) {
        try sink.append(code.rawValue)
        switch self {
        case .payload(let data), .immediateSend(let data): try Self.append(data, to: &sink)
        case .rssi(let dBm): try sink.append(littleEndian: UInt16(bitPattern: dBm))
        case .payloadSharing(let dBm, let data):
            try sink.append(littleEndian: UInt16(bitPattern: dBm))
            try Self.append(data, to: &sink)
        }
    }

    private static func append<Sink: ByteSink & ~Copyable>(
        _ data: Span<UInt8>, to sink: inout Sink
    ) throws(CapacityError) {
        guard data.count <= maximumDataByteCount else { throw CapacityError() }
        try sink.append(littleEndian: UInt16(truncatingIfNeeded: data.count))
        try sink.append(data)
    }
}

/// The reason why bytes are not a complete message.
public enum HeraldSignalError: Error, BitwiseCopyable, Equatable, Sendable {
    case incomplete
    case malformed
}

import FixedMemory

/// A message written to the signal characteristic. Integers little-endian.
///
/// | code | message | layout |
/// | --- | --- | --- |
/// | 01 | payload | code, length (int16), payload |
/// | 02 | RSSI | code, RSSI (int16) |
/// | 03 | payload sharing | code, RSSI (int16), length (int16), payloads |
/// | 04 | immediate send | code, length (int16), data |
public enum HeraldSignalCode: UInt8, BitwiseCopyable, Sendable {
    case payload = 1
    case rssi = 2
    case payloadSharing = 3
    case immediateSend = 4
}

/// Puts signal messages together. Android phones cut a message into writes of 20 bytes with neither header nor end
/// mark, iPhones send it whole; the length in its first bytes tells when it is complete (X4). Nothing tells that the rest
/// will never come, so half a message that waits too long is forgotten: it would swallow the next one.
public struct HeraldSignalAssembler: BitwiseCopyable, Sendable {
    /// Phones send each piece when the one before it is acknowledged, which on a slow link takes a second or two.
    public static let patienceMilliseconds: UInt64 = 10_000

    private var message = FixedBuffer<517>()
    private var lastWriteMilliseconds: UInt64 = 0

    public init() {}

    public enum Outcome: BitwiseCopyable, Equatable, Sendable {
        /// An empty write: it wakes phones, and means nothing here.
        case wake
        case incomplete
        /// The message is complete; ``payload`` is good until the next write.
        case complete(HeraldSignalCode)
        /// Unknown code or impossible length.
        case malformed
    }

    /// What the complete message carried: a payload, shared payloads, data; empty for RSSI.
    public private(set) var payload = FixedBuffer<512>()
    /// Of ``HeraldSignalCode/rssi`` and ``HeraldSignalCode/payloadSharing``. Units: dBm.
    public private(set) var rssiDBm: Int16 = 0

    /// Takes in one write. After a complete or malformed message, and after ``patienceMilliseconds`` without a write,
    /// the next write starts a new one.
    public mutating func write(_ value: Span<UInt8>, nowMilliseconds now: UInt64) -> Outcome {
        if now &- lastWriteMilliseconds > Self.patienceMilliseconds { message.removeAll() }
        lastWriteMilliseconds = now
        if message.isEmpty, value.isEmpty { return .wake }
        guard (try? message.append(value)) != nil else { return reset() }
        guard let code = HeraldSignalCode(rawValue: message[0]) else { return reset() }
        let headerByteCount = code == .payloadSharing ? 5 : 3
        guard message.count >= headerByteCount else { return .incomplete }
        let rssi = Int16(bitPattern: message.span.loadUInt16(at: 1))
        let dataByteCount = code == .rssi ? 0 : Int(message.span.loadUInt16(at: headerByteCount - 2))
        let byteCount = headerByteCount + dataByteCount
        guard dataByteCount <= 512, message.count <= byteCount else { return reset() }
        guard message.count == byteCount else { return .incomplete }
        guard let data = FixedBuffer<512>(message.span.extracting(headerByteCount..<byteCount)) else {
            return reset()
        }
        payload = data
        rssiDBm = code == .rssi || code == .payloadSharing ? rssi : 0
        message.removeAll()
        return .complete(code)
    }

    private mutating func reset() -> Outcome {
        message.removeAll()
        return .malformed
    }
}

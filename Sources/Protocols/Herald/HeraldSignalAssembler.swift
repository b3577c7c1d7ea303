import FixedMemory

/// Reassembles signal messages. Android phones cut a message into writes of 20 bytes without header or end
/// mark, iPhones write it whole. The length in its first bytes shows when it is complete (X4). The rest of a
/// message may never come, so a half message is dropped after a while; otherwise it would swallow the next
/// one.
public struct HeraldSignalAssembler: BitwiseCopyable, Sendable {
    /// The longest pause between two pieces. Phones send a piece once the previous one is acknowledged, which
    /// takes a second or two on a slow link.
    public static let timeout = Interval.seconds(10)

    private var message = FixedBuffer<517>()
    private var lastWrite = Instant.start

    public init() {}

    public enum Outcome: BitwiseCopyable, Equatable, Sendable {
        /// An empty write, with which phones wake each other; it has no effect here.
        case wake
        case incomplete
        /// The message is complete; ``payload`` is valid until the next write.
        case complete(HeraldSignalCode)
        /// Unknown code or impossible length.
        case malformed
    }

    /// The content of the complete message: a payload, shared payloads, or data; empty for RSSI.
    public private(set) var payload = FixedBuffer<512>()
    /// The RSSI, in dBm, of an ``HeraldSignalCode/rssi`` or ``HeraldSignalCode/payloadSharing`` message.
    public private(set) var rssiDBm: Int16 = 0

    /// Adds one write. After a complete or malformed message, and after ``timeout`` without a
    /// write, the next write starts a new message.
    public mutating func write(_ value: Span<UInt8>, now: Instant) -> Outcome {
        if now &- lastWrite > Self.timeout { message.removeAll() }
        lastWrite = now
        if value.isEmpty { return message.isEmpty ? .wake : .incomplete }
        guard (try? message.append(value)) != nil else { return end(.malformed) }
        let bytes = message
        do throws(HeraldSignalError) {
            return end(keep(try HeraldSignalMessage(bytes.span)))
        } catch {
            return error == .incomplete ? .incomplete : end(.malformed)
        }
    }

    private mutating func keep(_ complete: HeraldSignalMessage) -> Outcome {
        payload.removeAll()
        rssiDBm = 0
        let code = complete.code
        switch complete {
        case .payload(let data), .immediateSend(let data): return keep(data, of: code)
        case .rssi(let dBm):
            rssiDBm = dBm
            return .complete(code)
        case .payloadSharing(let dBm, let data):
            rssiDBm = dBm
            return keep(data, of: code)
        }
    }

    private mutating func keep(_ data: Span<UInt8>, of code: HeraldSignalCode) -> Outcome {
        (try? payload.append(data)) == nil ? .malformed : .complete(code)
    }

    private mutating func end(_ outcome: Outcome) -> Outcome {
        message.removeAll()
        return outcome
    }
}

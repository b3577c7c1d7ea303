import FixedMemory

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

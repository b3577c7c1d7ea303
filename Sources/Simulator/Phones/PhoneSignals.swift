/// The signals that a phone writes to a board over one link, one write after the other.
///
/// Android phones split each message into writes of 20 bytes without header or end mark; the length in its
/// first bytes shows where it ends. Other phones write it whole.
struct PhoneSignals {
    static let pieceByteCount = 20

    private struct Write {
        let bytes: [UInt8]
        /// The signal that this write completes.
        let completes: Signal?
    }

    private enum Signal {
        case payload, rssi
        /// The index of the message among all that the phone has sent.
        case message(Int)
    }

    private let isCut: Bool
    private var writes: [Write] = []

    init(cut isCut: Bool = false) { self.isCut = isCut }

    var isEmpty: Bool { writes.isEmpty }
    var next: [UInt8]? { writes.first?.bytes }

    /// Adds the payload: code 1, length, payload.
    mutating func addPayload(_ payload: [UInt8]) {
        add([1] + Self.littleEndian(payload.count) + payload, .payload)
    }

    /// Adds an RSSI: code 2, RSSI in 16 bits.
    mutating func addRSSI(_ dBm: Int8) { add([2] + Self.littleEndian(Int(dBm)), .rssi) }

    /// Adds a message: code 4, length, data; or code 3, RSSI, length, payloads.
    ///
    /// - Parameter place: The index of the message among all that the phone has sent.
    mutating func add(_ message: SentMessage, place: Int) {
        let length = Self.littleEndian(message.data.count)
        switch message.kind {
        case .immediate: add([4] + length + message.data, .message(place))
        case .sharing(let dBm):
            add([3] + Self.littleEndian(Int(dBm)) + length + message.data, .message(place))
        }
    }

    /// Removes the first write, because it was acknowledged.
    /// - Returns: Whether it completed a signal, and the message's index if the signal is a message.
    mutating func didWrite() -> (isComplete: Bool, place: Int?) {
        guard !writes.isEmpty else { return (false, nil) }
        switch writes.removeFirst().completes {
        case nil: return (false, nil)
        case .payload, .rssi: return (true, nil)
        case .message(let place): return (true, place)
        }
    }

    private mutating func add(_ bytes: [UInt8], _ signal: Signal) {
        let size = isCut ? Self.pieceByteCount : bytes.count
        for start in stride(from: 0, to: bytes.count, by: size) {
            let end = min(start + size, bytes.count)
            writes.append(
                Write(bytes: Array(bytes[start..<end]), completes: end == bytes.count ? signal : nil))
        }
    }

    private static func littleEndian(_ value: Int) -> [UInt8] {
        let bits = UInt16(truncatingIfNeeded: value)
        return [UInt8(bits & 255), UInt8(bits >> 8)]
    }
}

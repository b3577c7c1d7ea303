import HCI

/// The controller's parser of the bytes that its host sends over a UART.
///
/// Source: Bluetooth Core 5.4, Vol 4, Part A, 4. A controller that loses synchronisation sends a Hardware
/// Error and waits for a reset, which restores synchronisation. A controller that waits for the rest of a
/// packet drops it after 100 ms without a byte, like a receiver with idle timeout. Without such a timeout
/// it would read each reset as part of that packet, and only a power cycle would help.
struct HostStream {
    enum Piece: Equatable {
        case packet([UInt8])
        /// The next byte does not begin a packet.
        case lost
    }

    private var bytes: [UInt8] = []
    private var isLost = false
    private var lastTime = SimulatedTime.zero

    /// Whether no partial packet is pending.
    var isInStep: Bool { bytes.isEmpty && !isLost }

    private static let reset: [UInt8] = [PacketIndicator.command.rawValue, 0x03, 0x0c, 0]

    private static let patience = SimulatedDuration.milliseconds(100)

    mutating func append(_ new: [UInt8], at time: SimulatedTime) {
        if time > lastTime + Self.patience { bytes = [] }
        lastTime = time
        bytes += new
    }

    mutating func next() -> Piece? {
        if isLost, !findReset() { return nil }
        guard let indicator = bytes.first else { return nil }
        let byteCount: Int
        switch indicator {
        case PacketIndicator.command.rawValue:
            guard bytes.count >= 4 else { return nil }
            byteCount = 4 + Int(bytes[3])
        case PacketIndicator.aclData.rawValue:
            guard bytes.count >= 5 else { return nil }
            byteCount = 5 + Int(bytes[3]) + Int(bytes[4]) << 8
        default:
            isLost = true
            return .lost
        }
        guard bytes.count >= byteCount else { return nil }
        defer { bytes.removeFirst(byteCount) }
        return .packet(Array(bytes[..<byteCount]))
    }

    private mutating func findReset() -> Bool {
        let starts = 0..<max(0, bytes.count - Self.reset.count + 1)
        guard let start = starts.first(where: { bytes[$0...].starts(with: Self.reset) }) else {
            bytes.removeFirst(starts.count)
            return false
        }
        bytes.removeFirst(start)
        isLost = false
        return true
    }
}

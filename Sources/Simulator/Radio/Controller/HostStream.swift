import HCI

/// What a controller on a UART makes of the bytes that its host sends.
///
/// Source: Bluetooth Core 5.4, Vol 4, Part A, 4. A controller that has lost its place in the stream sends a Hardware Error, expects
/// a reset, and finds its place again by that. One that waits for the rest of a packet gives it up after 100 ms without a byte, as
/// receivers with a time-out for idle lines do: one without would take each reset for a part of that packet, and only its
/// power helps.
struct HostStream {
    enum Piece: Equatable {
        case packet([UInt8])
        /// What comes here begins no packet.
        case lost
    }

    private var bytes: [UInt8] = []
    private var isLost = false
    private var lastTime = SimulatedTime.zero

    /// Nothing waits for its end.
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

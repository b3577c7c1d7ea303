import EncounterLog
import FixedMemory

/// A request of a program on the board. Each is one datagram, and has one answer (docs/service.md).
public enum BoardRequest: Equatable, BitwiseCopyable, Sendable {
    /// On the status socket, which is open to all users: the board's status.
    case status
    // On the control socket, which only root and the front panel's program may use:
    /// Marks this moment in the log.
    case mark(MarkerOrigin)
    /// The battery's present state.
    case battery(BatteryReading)

    private static let markCode: UInt8 = 1
    private static let batteryCode: UInt8 = 2

    /// The size of the longest datagram of the control socket.
    public static let byteCount = 1 + BatteryReading.byteCount

    /// Reads a datagram of the control socket; nil if it is none that this version knows.
    public init?(control datagram: Span<UInt8>) {
        guard let code = datagram.isEmpty ? nil : datagram[0] else { return nil }
        let rest = datagram.extracting(1..<datagram.count)
        switch code {
        case Self.markCode where rest.count == 1: self = .mark(MarkerOrigin(rawValue: rest[0]))
        case Self.batteryCode:
            guard let reading = BatteryReading(rest) else { return nil }
            self = .battery(reading)
        default: return nil
        }
    }

    /// The datagram; empty for the status.
    public var datagram: FixedBuffer<16> {
        var bytes = FixedBuffer<16>()
        do throws(CapacityError) {
            switch self {
            case .status: break
            case .mark(let origin):
                try bytes.append(Self.markCode)
                try bytes.append(origin.rawValue)
            case .battery(let reading):
                try bytes.append(Self.batteryCode)
                try reading.encode(into: &bytes)
            }
        } catch {
            preconditionFailure("the longest datagram fits")
        }
        return bytes
    }
}

/// The answer to a request on the control socket: one byte.
public enum BoardAnswer: UInt8, BitwiseCopyable, Sendable {
    /// It is done, and what belongs into the log is on the medium.
    case done = 0
    /// The medium did not take it.
    case notWritten = 1
    /// The agent does not know such a request.
    case unknown = 2
}

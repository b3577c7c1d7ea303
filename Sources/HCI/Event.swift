import FixedMemory

/// An event packet, decoded as far as the agent needs it. Data longer than a few numbers stays in the bytes
/// of the packet. Source: Bluetooth Core 5.4, Vol 4, Part E, 7.7.
public enum Event: ~Escapable {
    /// 7.7.14. `credits` is the number of further commands the controller accepts. `returned` starts with the
    /// status.
    case commandComplete(OpCode, credits: UInt8, returned: Span<UInt8>)
    /// 7.7.15.
    case commandStatus(OpCode, credits: UInt8, Status)
    /// 7.7.5.
    case disconnectionComplete(ConnectionHandle, Status, reason: Status)
    /// 7.7.16.
    case hardwareError(code: UInt8)
    /// 7.7.19: pairs of handle (2) and count (2); see ``CompletedPackets``.
    case completedPackets(CompletedPackets)
    /// 7.7.65.2.
    case advertisingReports(AdvertisingReports)
    /// 7.7.65.13. Controllers send it only after the extended scan commands; captures of other hosts are full
    /// of it.
    case extendedAdvertisingReports(ExtendedAdvertisingReports)
    /// 7.7.65.1, and also 7.7.65.10 and 7.7.65.41, which append more fields to the same beginning.
    case connectionComplete(ConnectionComplete)
    /// 7.7.65.3: the link's timing has changed.
    case connectionUpdated(ConnectionHandle, Status, SupervisionTimeout)
    /// 7.7.65.5.
    case longTermKeyRequest(ConnectionHandle)
    /// A well-formed event that the agent does not use.
    case other(code: UInt8)

    /// Whether `packet` is one of ``advertisingReports(_:)`` or ``extendedAdvertisingReports(_:)``. Only the
    /// codes are read, so the packet may still be malformed.
    public static func isAdvertisingReport(_ packet: Span<UInt8>) -> Bool {
        guard packet.count > 3, packet[0] == PacketIndicator.event.rawValue, packet[1] == 0x3e else {
            return false
        }
        return packet[3] == 0x02 || packet[3] == 0x0d
    }

    /// Parses `packet`: H4 indicator, event code, and parameter length. The length must agree with the size
    /// of the packet.
    @inline(__always)
    @_lifetime(copy packet)
    public init(_ packet: Span<UInt8>) throws(EventError) {
        var rest = packet
        guard let header = rest.takeFirst(3), header[0] == PacketIndicator.event.rawValue,
            Int(header[2]) == rest.count
        else { throw .framing }
        var parameters = ByteReader(rest)
        let code = header[1]
        do throws(EndOfBytes) {
            switch code {
            case 0x0e:
                let credits = try parameters.readUInt8()
                let opCode = OpCode(rawValue: try parameters.readUInt16())
                self = .commandComplete(opCode, credits: credits, returned: parameters.readRest())
            case 0x0f:
                let status = Status(rawValue: try parameters.readUInt8())
                let credits = try parameters.readUInt8()
                self = .commandStatus(
                    OpCode(rawValue: try parameters.readUInt16()), credits: credits, status)
            case 0x05:
                let status = Status(rawValue: try parameters.readUInt8())
                let handle = ConnectionHandle(rawValue: try parameters.readUInt16())
                self = .disconnectionComplete(
                    handle, status, reason: Status(rawValue: try parameters.readUInt8()))
            case 0x10:
                self = .hardwareError(code: try parameters.readUInt8())
            case 0x13:
                self = .completedPackets(CompletedPackets(parameters.readRest()))
            case 0x3e:
                let subevent = try parameters.readUInt8()
                switch subevent {
                case 0x01, 0x0a, 0x29:
                    self = .connectionComplete(
                        try ConnectionComplete(&parameters, hasResolvableAddresses: subevent != 0x01))
                case 0x02: self = .advertisingReports(AdvertisingReports(parameters.readRest()))
                case 0x0d:
                    self = .extendedAdvertisingReports(ExtendedAdvertisingReports(parameters.readRest()))
                case 0x03:
                    let status = Status(rawValue: try parameters.readUInt8())
                    let handle = ConnectionHandle(rawValue: try parameters.readUInt16())
                    _ = try parameters.readBytes(4)  // interval, latency
                    self = .connectionUpdated(
                        handle, status, SupervisionTimeout(tens: try parameters.readUInt16()))
                case 0x05: self = .longTermKeyRequest(ConnectionHandle(rawValue: try parameters.readUInt16()))
                default: self = .other(code: code)
                }
            default:
                self = .other(code: code)
            }
        } catch {
            throw .truncated(code: code)
        }
        if case .connectionComplete(let connection) = self, !connection.isPossible {
            throw .impossible(code: code)
        }
    }
}

public enum EventError: Error, Equatable {
    /// The packet is not an event, or its length byte disagrees with its size.
    case framing
    /// The packet is shorter than its event code requires.
    case truncated(code: UInt8)
    /// A parameter of a new connection has a value that the specification does not have. Where the link to
    /// the controller loses bytes, an advertising report may look like a connection.
    case impossible(code: UInt8)
}

/// The parameters of LE Connection Complete.
public struct ConnectionComplete: Sendable, BitwiseCopyable {
    public let status: Status
    public let handle: ConnectionHandle
    /// Whether this side is the central.
    public let isCentral: Bool
    public let peer: DeviceAddress
    public let supervisionTimeout: SupervisionTimeout
    /// Whether handle, role and address type are ones that the specification has, or the connection failed.
    let isPossible: Bool

    /// `hasResolvableAddresses` is true if both ends' resolvable private addresses follow the peer's address.
    init(_ parameters: inout ByteReader, hasResolvableAddresses: Bool) throws(EndOfBytes) {
        status = Status(rawValue: try parameters.readUInt8())
        handle = ConnectionHandle(rawValue: try parameters.readUInt16())
        let role = try parameters.readUInt8()
        isCentral = role == 0
        let addressType = try parameters.readUInt8()
        let address: Bytes<6> = try parameters.readBlock()
        peer = DeviceAddress(littleEndian: address.span.loadUInt48(at: 0), addressType: addressType)
        // the resolvable addresses, if any, then interval and latency
        _ = try parameters.readBytes(hasResolvableAddresses ? 16 : 4)
        supervisionTimeout = SupervisionTimeout(tens: try parameters.readUInt16())
        _ = try parameters.readUInt8()  // clock accuracy
        isPossible =
            status != .success || handle.rawValue <= ConnectionHandle.largest && role <= 1 && addressType <= 3
    }
}

/// The list in a Number Of Completed Packets event: count (1), then handle (2) and packets (2) for each link.
public struct CompletedPackets: ~Escapable {
    private var reader: ByteReader

    @_lifetime(copy parameters)
    init(_ parameters: Span<UInt8>) {
        reader = ByteReader(parameters)
        _ = try? reader.readUInt8()
    }

    public mutating func next() -> (handle: ConnectionHandle, count: UInt16)? {
        guard reader.remainingCount >= 4, let handle = try? reader.readUInt16(),
            let count = try? reader.readUInt16()
        else { return nil }
        return (ConnectionHandle(rawValue: handle), count)
    }
}

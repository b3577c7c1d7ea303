import FixedMemory

/// The operation of an SMP packet.
public enum SMPOperation: UInt8, Sendable {
    case read = 0
    case readResponse = 1
    case write = 2
    case writeResponse = 3

    public var isRequest: Bool { self == .read || self == .write }
}

/// The eight bytes before the CBOR map of an SMP packet: version and operation, flags, length of the map
/// (16 bits), group (16 bits), sequence number, command. Integers are big-endian. Source: Zephyr, "SMP
/// Protocol Specification", frame format.
public struct SMPHeader: Equatable, Sendable {
    public static let byteCount = 8

    public var operation: SMPOperation
    /// The version on the wire: 0 and 1 are what the specification calls SMP version 1 and 2.
    public var version: UInt8
    public var flags: UInt8 = 0
    public var bodyByteCount: UInt16 = 0
    public var group: UInt16
    public var sequence: UInt8
    public var command: UInt8

    public init(_ operation: SMPOperation, _ address: SMPCommand, sequence: UInt8, version: UInt8 = 1) {
        self.operation = operation
        self.version = version & 3
        group = address.group
        command = address.command
        self.sequence = sequence
    }

    /// - Throws: `MalformedPacket` for fewer than eight bytes or an unknown operation.
    public init(_ reader: inout ByteReader) throws(MalformedPacket) {
        do throws(EndOfBytes) {
            let first = try reader.readUInt8()
            let flags = try reader.readUInt8()
            let bodyByteCount = try reader.readUInt16BigEndian()
            let group = try reader.readUInt16BigEndian()
            let sequence = try reader.readUInt8()
            let command = try reader.readUInt8()
            guard let operation = SMPOperation(rawValue: first & 7) else { throw EndOfBytes() }
            self.init(
                operation, SMPCommand(group: group, command: command), sequence: sequence, version: first >> 3
            )
            self.flags = flags
            self.bodyByteCount = bodyByteCount
        } catch {
            throw MalformedPacket()
        }
    }

    public var address: SMPCommand { SMPCommand(group: group, command: command) }

    /// Whether a board with an operator key accepts the command only if it is signed. This holds for every
    /// write that is not known to be harmless.
    public var needsSignature: Bool {
        operation == .write && address != .echo && address != .fileClose && address != .fileTransfer
            && address != .updatePiece
    }

    /// The header of the answer to this request.
    public var response: SMPHeader {
        SMPHeader(
            operation == .write ? .writeResponse : .readResponse, address, sequence: sequence,
            version: version)
    }

    public func write(into sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        try sink.append(version << 3 | operation.rawValue)
        try sink.append(flags)
        try sink.append(bigEndian: bodyByteCount)
        try sink.append(bigEndian: group)
        try sink.append(sequence)
        try sink.append(command)
    }
}

/// Thrown for bytes that are not an SMP packet.
public struct MalformedPacket: Error, Equatable {
    public init() {}
}

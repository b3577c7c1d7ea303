import FixedMemory

/// A PDU that a server sends: a response, a notification or an indication. All integers are little-endian on
/// the air.
///
/// Bluetooth Core 5.4, Vol 3, Part F, 3.4.
public enum ATTResponse: ~Escapable {
    /// `opcode` is the first byte of the request.
    case error(opcode: UInt8, handle: UInt16, ATTError)
    case exchangeMTU(serverReceiveMTU: UInt16)
    /// Entries of a handle and a UUID; the UUID has `uuidByteCount` (2 or 16) bytes.
    case findInformation(uuidByteCount: Int, entries: Span<UInt8>)
    /// Entries of two handles: the found attribute and the last one of its group.
    case findByTypeValue(entries: Span<UInt8>)
    /// Entries of a handle and a value, of `entryByteCount` bytes together.
    case readByType(entryByteCount: Int, entries: Span<UInt8>)
    case read(value: Span<UInt8>)
    case readBlob(value: Span<UInt8>)
    case readMultiple(values: Span<UInt8>)
    /// Entries of two handles and a value, of `entryByteCount` bytes together.
    case readByGroupType(entryByteCount: Int, entries: Span<UInt8>)
    case write
    case prepareWrite(handle: UInt16, offset: UInt16, value: Span<UInt8>)
    case executeWrite
    case notification(handle: UInt16, value: Span<UInt8>)
    case indication(handle: UInt16, value: Span<UInt8>)

    /// Nil if `pdu` is none of these or is malformed. Lists hold at least one entry, and only complete
    /// entries.
    @_lifetime(copy pdu)
    public init?(_ pdu: Span<UInt8>) {
        guard pdu.count > 0, let opcode = ATTOpcode(rawValue: pdu[0]) else { return nil }
        var reader = ByteReader(pdu.extracting(1..<pdu.count))
        do throws(EndOfBytes) {
            switch opcode {
            case .errorResponse:
                self = .error(
                    opcode: try reader.readUInt8(), handle: try reader.readUInt16(),
                    ATTError(rawValue: try reader.readUInt8()))
            case .exchangeMTUResponse: self = .exchangeMTU(serverReceiveMTU: try reader.readUInt16())
            case .findInformationResponse:
                let format = try reader.readUInt8()
                guard format == 1 || format == 2 else { return nil }
                let uuidByteCount = format == 1 ? 2 : 16
                self = .findInformation(
                    uuidByteCount: uuidByteCount, entries: try Self.readList(&reader, 2 + uuidByteCount))
            case .findByTypeValueResponse: self = .findByTypeValue(entries: try Self.readList(&reader, 4))
            case .readByTypeResponse:
                let entryByteCount = Int(try reader.readUInt8())
                guard entryByteCount >= 2 else { return nil }
                self = .readByType(
                    entryByteCount: entryByteCount, entries: try Self.readList(&reader, entryByteCount))
            case .readResponse: self = .read(value: reader.readRest())
            case .readBlobResponse: self = .readBlob(value: reader.readRest())
            case .readMultipleResponse: self = .readMultiple(values: reader.readRest())
            case .readByGroupTypeResponse:
                let entryByteCount = Int(try reader.readUInt8())
                guard entryByteCount >= 4 else { return nil }
                self = .readByGroupType(
                    entryByteCount: entryByteCount, entries: try Self.readList(&reader, entryByteCount))
            case .writeResponse: self = .write
            case .prepareWriteResponse:
                self = .prepareWrite(
                    handle: try reader.readUInt16(), offset: try reader.readUInt16(),
                    value: reader.readRest())
            case .executeWriteResponse: self = .executeWrite
            case .handleValueNotification:
                self = .notification(handle: try reader.readUInt16(), value: reader.readRest())
            case .handleValueIndication:
                self = .indication(handle: try reader.readUInt16(), value: reader.readRest())
            default: return nil
            }
        } catch {
            return nil
        }
        guard reader.isAtEnd else { return nil }
    }

    @_lifetime(copy reader)
    private static func readList(_ reader: inout ByteReader, _ entryByteCount: Int)
        throws(EndOfBytes) -> Span<UInt8>
    {
        let entries = reader.readRest()
        guard entries.count > 0, entries.count.isMultiple(of: entryByteCount) else { throw EndOfBytes() }
        return entries
    }
}

extension ATTResponse {
    /// Appends the PDU. If it does not fit, part of it may have been appended.
    public func append<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(CapacityError) {
        switch self {
        case .error(let opcode, let handle, let error):
            try sink.append(.errorResponse)
            try sink.append(opcode)
            try sink.append(littleEndian: handle)
            try sink.append(error.rawValue)
        case .exchangeMTU(let serverReceiveMTU):
            try sink.append(.exchangeMTUResponse, serverReceiveMTU)
        case .findInformation(let uuidByteCount, let entries):
            try sink.append(.findInformationResponse)
            try sink.append(uuidByteCount == 2 ? 1 : 2 as UInt8)
            try sink.append(entries)
        case .findByTypeValue(let entries):
            try sink.append(.findByTypeValueResponse)
            try sink.append(entries)
        case .readByType(let entryByteCount, let entries):
            try sink.append(.readByTypeResponse)
            try sink.append(UInt8(truncatingIfNeeded: entryByteCount))
            try sink.append(entries)
        case .read(let value):
            try sink.append(.readResponse)
            try sink.append(value)
        case .readBlob(let value):
            try sink.append(.readBlobResponse)
            try sink.append(value)
        case .readMultiple(let values):
            try sink.append(.readMultipleResponse)
            try sink.append(values)
        case .readByGroupType(let entryByteCount, let entries):
            try sink.append(.readByGroupTypeResponse)
            try sink.append(UInt8(truncatingIfNeeded: entryByteCount))
            try sink.append(entries)
        case .write:
            try sink.append(.writeResponse)
        case .prepareWrite(let handle, let offset, let value):
            try sink.append(.prepareWriteResponse, handle, offset)
            try sink.append(value)
        case .executeWrite:
            try sink.append(.executeWriteResponse)
        case .notification(let handle, let value):
            try sink.append(.handleValueNotification, handle)
            try sink.append(value)
        case .indication(let handle, let value):
            try sink.append(.handleValueIndication, handle)
            try sink.append(value)
        }
    }
}

extension ByteSink where Self: ~Copyable {
    mutating func append(_ opcode: ATTOpcode) throws(CapacityError) { try append(opcode.rawValue) }

    mutating func append(_ opcode: ATTOpcode, _ first: UInt16) throws(CapacityError) {
        try append(opcode.rawValue)
        try append(littleEndian: first)
    }

    mutating func append(_ opcode: ATTOpcode, _ first: UInt16, _ second: UInt16) throws(CapacityError) {
        try append(opcode, first)
        try append(littleEndian: second)
    }

    mutating func append(_ opcode: ATTOpcode, _ first: UInt16, _ second: UInt16, _ third: UInt16)
        throws(CapacityError)
    {
        try append(opcode, first, second)
        try append(littleEndian: third)
    }
}

import FixedMemory

/// A PDU that a client sends: a request, a command or a confirmation. All integers are little-endian on the
/// air.
///
/// Bluetooth Core 5.4, Vol 3, Part F, 3.4.
public enum ATTRequest: ~Escapable {
    case exchangeMTU(clientReceiveMTU: UInt16)
    case findInformation(HandleRange)
    /// `type` is always a 16-bit UUID here; the server compares `value` as a whole.
    case findByTypeValue(HandleRange, type: UInt16, value: Span<UInt8>)
    case readByType(HandleRange, type: BluetoothUUID)
    case read(handle: UInt16)
    case readBlob(handle: UInt16, offset: UInt16)
    /// At least two handles, two bytes each.
    case readMultiple(handles: Span<UInt8>)
    case readByGroupType(HandleRange, type: BluetoothUUID)
    case write(handle: UInt16, value: Span<UInt8>)
    case prepareWrite(handle: UInt16, offset: UInt16, value: Span<UInt8>)
    case executeWrite(commits: Bool)
    case confirmation
    case writeCommand(handle: UInt16, value: Span<UInt8>)

    /// - Throws: The error with which the server answers: Invalid PDU or Request Not Supported.
    @_lifetime(copy pdu)
    public init(_ pdu: Span<UInt8>) throws(ATTError) {
        guard pdu.count > 0, let opcode = ATTOpcode(rawValue: pdu[0]), Self.isServed(opcode) else {
            throw .requestNotSupported
        }
        var reader = ByteReader(pdu.extracting(1..<pdu.count))
        do throws(EndOfBytes) {
            switch opcode {
            case .exchangeMTURequest: self = .exchangeMTU(clientReceiveMTU: try reader.readUInt16())
            case .findInformationRequest: self = .findInformation(try HandleRange(&reader))
            case .findByTypeValueRequest:
                self = .findByTypeValue(
                    try HandleRange(&reader), type: try reader.readUInt16(), value: reader.readRest())
            case .readByTypeRequest:
                self = .readByType(try HandleRange(&reader), type: try Self.readType(&reader))
            case .readRequest: self = .read(handle: try reader.readUInt16())
            case .readBlobRequest:
                self = .readBlob(handle: try reader.readUInt16(), offset: try reader.readUInt16())
            case .readMultipleRequest:
                let handles = reader.readRest()
                guard handles.count >= 4, handles.count.isMultiple(of: 2) else { throw EndOfBytes() }
                self = .readMultiple(handles: handles)
            case .readByGroupTypeRequest:
                self = .readByGroupType(try HandleRange(&reader), type: try Self.readType(&reader))
            case .writeRequest: self = .write(handle: try reader.readUInt16(), value: reader.readRest())
            case .prepareWriteRequest:
                self = .prepareWrite(
                    handle: try reader.readUInt16(), offset: try reader.readUInt16(),
                    value: reader.readRest())
            case .executeWriteRequest:
                let flags = try reader.readUInt8()
                guard flags <= 1 else { throw EndOfBytes() }
                self = .executeWrite(commits: flags == 1)
            case .handleValueConfirmation: self = .confirmation
            case .writeCommand:
                self = .writeCommand(handle: try reader.readUInt16(), value: reader.readRest())
            default: throw EndOfBytes()
            }
            guard reader.isAtEnd else { throw EndOfBytes() }
        } catch {
            throw .invalidPDU
        }
    }

    private static func isServed(_ opcode: ATTOpcode) -> Bool {
        switch opcode {
        case .signedWriteCommand, .readMultipleVariableRequest: false
        default: !opcode.isFromServer
        }
    }

    /// Reads a UUID from all remaining bytes, which must be 2 or 16.
    private static func readType(_ reader: inout ByteReader) throws(EndOfBytes) -> BluetoothUUID {
        guard reader.remainingCount != 4, let uuid = BluetoothUUID(reader.readRest()) else {
            throw EndOfBytes()
        }
        return uuid
    }
}

extension ATTRequest {
    /// Appends the PDU. If it does not fit, part of it may have been appended.
    public func append<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(CapacityError) {
        switch self {
        case .exchangeMTU(let clientReceiveMTU):
            try sink.append(.exchangeMTURequest, clientReceiveMTU)
        case .findInformation(let range):
            try sink.append(.findInformationRequest, range.first, range.last)
        case .findByTypeValue(let range, let type, let value):
            try sink.append(.findByTypeValueRequest, range.first, range.last, type)
            try sink.append(value)
        case .readByType(let range, let type):
            try sink.append(.readByTypeRequest, range.first, range.last)
            try type.append(to: &sink)
        case .read(let handle):
            try sink.append(.readRequest, handle)
        case .readBlob(let handle, let offset):
            try sink.append(.readBlobRequest, handle, offset)
        case .readMultiple(let handles):
            try sink.append(.readMultipleRequest)
            try sink.append(handles)
        case .readByGroupType(let range, let type):
            try sink.append(.readByGroupTypeRequest, range.first, range.last)
            try type.append(to: &sink)
        case .write(let handle, let value):
            try sink.append(.writeRequest, handle)
            try sink.append(value)
        case .prepareWrite(let handle, let offset, let value):
            try sink.append(.prepareWriteRequest, handle, offset)
            try sink.append(value)
        case .executeWrite(let commits):
            try sink.append(.executeWriteRequest)
            try sink.append(commits ? 1 : 0 as UInt8)
        case .confirmation:
            try sink.append(.handleValueConfirmation)
        case .writeCommand(let handle, let value):
            try sink.append(.writeCommand, handle)
            try sink.append(value)
        }
    }
}

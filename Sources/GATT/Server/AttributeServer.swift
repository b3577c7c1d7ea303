import FixedMemory

/// The server's state for one link. All links share the table and the delegate, which are passed in.
///
/// The server answers every request with a response or an error no longer than the MTU, and never answers a
/// command.
/// Bluetooth Core 5.4, Vol 3, Part F, 3.4 and Part G, 4.
public struct AttributeServer: BitwiseCopyable {
    private var prepared = PreparedWrite()
    private var cached = AttributeValue()
    private var cachedIdentifier: ValueIdentifier?

    public init() {}

    /// Serves one PDU from a peer. It replaces `answer` with the PDU to send, or leaves it empty if there is
    /// none.
    public mutating func receive<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ pdu: Span<UInt8>, link: Int, mtu: inout NegotiatedMTU, table: borrowing AttributeTable<capacity>,
        delegate: inout Delegate, answer: inout ATTBuffer
    ) {
        var bounded = BoundedAnswer(mtu: mtu.byteCount)
        defer { answer = bounded.buffer }
        guard pdu.count > 0 else { return }
        do throws(Refusal) {
            try serve(pdu, link, &mtu, table, &delegate, &bounded)
        } catch {
            bounded.removeAll()
            guard !Self.isCommand(pdu[0]) else { return }
            bounded.begin(.errorResponse)
            bounded.append(pdu[0])
            bounded.append(error.handle)
            bounded.append(error.error.rawValue)
        }
    }

    /// Whether the opcode is a command; no command, known or unknown, gets an answer.
    private static func isCommand(_ opcode: UInt8) -> Bool {
        opcode & 0x40 != 0 || opcode == ATTOpcode.handleValueConfirmation.rawValue
    }

    private mutating func serve<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ pdu: Span<UInt8>, _ link: Int, _ mtu: inout NegotiatedMTU,
        _ table: borrowing AttributeTable<capacity>, _ delegate: inout Delegate,
        _ answer: inout BoundedAnswer
    ) throws(Refusal) {
        let request: ATTRequest
        do throws(ATTError) { request = try ATTRequest(pdu) } catch { throw Refusal(error, 0) }
        switch request {
        case .exchangeMTU(let clientReceiveMTU):
            mtu.agree(peerReceiveMTU: clientReceiveMTU)
            answer.begin(.exchangeMTUResponse)
            answer.append(UInt16(truncatingIfNeeded: ATT.maximumMTU))
        case .findInformation(let range):
            try table.findInformation(range, &answer)
        case .findByTypeValue(let range, let type, let value):
            try table.findByTypeValue(range, BluetoothUUID(type), value, &answer)
        case .readByGroupType(let range, let type):
            try table.readByGroupType(range, type, &answer)
        case .readByType(let range, let type):
            try readByType(range, type, link, table, &delegate, &answer)
        case .read(let handle):
            let value = try load(handle, link, table, &delegate)
            answer.begin(.readResponse)
            answer.append(prefixOf: value.span)
        case .readBlob(let handle, let offset):
            let value = try load(handle, isPiece: offset > 0, link, table, &delegate)
            guard Int(offset) <= value.count else { throw Refusal(.invalidOffset, handle) }
            answer.begin(.readBlobResponse)
            answer.append(prefixOf: value.span.extracting(Int(offset)..<value.count))
        case .readMultiple(let handles):
            try readMultiple(handles, link, table, &delegate, &answer)
        case .write(let handle, let value):
            let identifier = try writableValue(handle, .write, table)
            try write(identifier, handle, value, .request, link, &delegate)
            answer.begin(.writeResponse)
        case .writeCommand(let handle, let value):
            let identifier = try writableValue(handle, .writeWithoutResponse, table)
            try write(identifier, handle, value, .command, link, &delegate)
        case .prepareWrite(let handle, let offset, let value):
            try prepareWrite(handle, offset, value, table, &answer)
        case .executeWrite(let commits):
            defer { prepared.removeAll() }
            if commits { try executeWrite(link, table, &delegate) }
            answer.begin(.executeWriteResponse)
        case .confirmation:
            break
        }
    }
}

// MARK: Reading

extension AttributeServer {
    /// Returns the whole value of the attribute at `handle`. `isPiece` is true for a Read Blob that continues
    /// a value.
    @inline(never)
    private mutating func load<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ handle: UInt16, isPiece: Bool = false, _ link: Int, _ table: borrowing AttributeTable<capacity>,
        _ delegate: inout Delegate
    ) throws(Refusal) -> AttributeValue {
        guard table.contains(handle) else { throw Refusal(.invalidHandle, handle) }
        let attribute = table[handle]
        guard attribute.isReadable else { throw Refusal(.readNotPermitted, handle) }
        guard case .delegated(let identifier, _) = attribute.content else { return table.value(at: handle) }
        if !isPiece || cachedIdentifier != identifier {
            cachedIdentifier = nil
            cached.removeAll()
            do throws(ATTError) {
                try delegate.read(identifier, link: link, into: &cached)
            } catch {
                throw Refusal(error, handle)
            }
            cachedIdentifier = identifier
        }
        return cached
    }

    private mutating func readByType<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ range: HandleRange, _ type: BluetoothUUID, _ link: Int,
        _ table: borrowing AttributeTable<capacity>, _ delegate: inout Delegate,
        _ answer: inout BoundedAnswer
    ) throws(Refusal) {
        guard range.isValid else { throw Refusal(.invalidHandle, range.first) }
        var commonByteCount: Int?
        for handle in table.handles(in: range) where table[handle].type == type {
            let value: AttributeValue
            do throws(Refusal) {
                value = try load(handle, link, table, &delegate)
            } catch {
                if commonByteCount == nil { throw error }
                return
            }
            if commonByteCount == nil {
                commonByteCount = value.count
                answer.begin(.readByTypeResponse)
                // The entry's length is one byte, and a single long value is truncated.
                answer.append(UInt8(truncatingIfNeeded: min(min(value.count + 2, answer.freeCount - 1), 255)))
            } else if value.count != commonByteCount || value.count + 2 > answer.freeCount {
                return
            }
            answer.append(handle)
            answer.append(prefixOf: value.span.extracting(0..<min(value.count, 253)))
        }
        if commonByteCount == nil { throw Refusal(.attributeNotFound, range.first) }
    }

    /// The number of handles that one Read Multiple Request may name.
    static var readMultipleLimit: Int { 32 }

    /// Appends the values one after the other, without lengths, and truncates the last one at the MTU. Values
    /// behind that are not looked at, because making one may take long.
    private mutating func readMultiple<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ handles: Span<UInt8>, _ link: Int, _ table: borrowing AttributeTable<capacity>,
        _ delegate: inout Delegate, _ answer: inout BoundedAnswer
    ) throws(Refusal) {
        answer.begin(.readMultipleResponse)
        for index in 0..<handles.count / 2 where answer.freeCount > 0 {
            let handle = UInt16(handles[2 * index]) | UInt16(handles[2 * index + 1]) << 8
            guard index < Self.readMultipleLimit else { throw Refusal(.insufficientResources, handle) }
            let value = try load(handle, link, table, &delegate)
            answer.append(prefixOf: value.span)
        }
    }
}

// MARK: Writing

extension AttributeServer {
    private func writableValue<let capacity: Int>(
        _ handle: UInt16, _ needed: CharacteristicProperties, _ table: borrowing AttributeTable<capacity>
    ) throws(Refusal) -> ValueIdentifier {
        guard table.contains(handle) else { throw Refusal(.invalidHandle, handle) }
        guard case .delegated(let identifier, let properties) = table[handle].content,
            properties.contains(needed)
        else { throw Refusal(.writeNotPermitted, handle) }
        return identifier
    }

    private func write<Delegate: AttributeDelegate & ~Copyable>(
        _ identifier: ValueIdentifier, _ handle: UInt16, _ value: Span<UInt8>, _ kind: WriteKind,
        _ link: Int, _ delegate: inout Delegate
    ) throws(Refusal) {
        guard value.count <= ATT.maximumValueByteCount else {
            throw Refusal(.invalidAttributeValueLength, handle)
        }
        do throws(ATTError) {
            try delegate.write(identifier, link: link, value: value, kind: kind)
        } catch {
            throw Refusal(error, handle)
        }
    }

    /// Queues a part. The response repeats the request, so the request must not be longer than the MTU
    /// either.
    private mutating func prepareWrite<let capacity: Int>(
        _ handle: UInt16, _ offset: UInt16, _ part: Span<UInt8>,
        _ table: borrowing AttributeTable<capacity>, _ answer: inout BoundedAnswer
    ) throws(Refusal) {
        _ = try writableValue(handle, .write, table)
        answer.begin(.prepareWriteResponse)
        answer.append(handle)
        answer.append(offset)
        guard part.count <= answer.freeCount else { throw Refusal(.invalidPDU, 0) }
        answer.append(prefixOf: part)
        do throws(ATTError) {
            try prepared.append(part, at: Int(offset), handle: handle)
        } catch {
            throw Refusal(error, handle)
        }
    }

    private func executeWrite<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ link: Int, _ table: borrowing AttributeTable<capacity>, _ delegate: inout Delegate
    ) throws(Refusal) {
        guard prepared.handle != 0 else { return }
        guard !prepared.hasGap else { throw Refusal(.invalidOffset, prepared.handle) }
        let identifier = try writableValue(prepared.handle, .write, table)
        try write(identifier, prepared.handle, prepared.value.span, .prepared, link, &delegate)
    }
}

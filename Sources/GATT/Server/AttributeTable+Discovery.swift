import FixedMemory

/// The requests that the table alone can answer. Bluetooth Core 5.4, Vol 3, Part F, 3.4.3 and 3.4.4.9.
extension AttributeTable {
    /// Appends handles and types: as many as fit, all with the same UUID width.
    func findInformation(_ range: HandleRange, _ answer: inout BoundedAnswer) throws(Refusal) {
        guard range.isValid else { throw Refusal(.invalidHandle, range.first) }
        let handles = handles(in: range)
        guard let first = handles.first else { throw Refusal(.attributeNotFound, range.first) }
        let uuidByteCount = self[first].type.byteCount
        answer.begin(.findInformationResponse)
        answer.append(uuidByteCount == 2 ? 1 : 2 as UInt8)
        for handle in handles {
            let type = self[handle].type.bytes
            guard type.count == uuidByteCount, answer.freeCount >= 2 + type.count else { return }
            answer.append(handle)
            answer.append(prefixOf: type.span)
        }
    }

    /// Appends the attributes of a type that have this value: primary services by UUID, other declarations,
    /// and constants. It does not search values that a delegate supplies.
    func findByTypeValue(
        _ range: HandleRange, _ type: BluetoothUUID, _ value: Span<UInt8>, _ answer: inout BoundedAnswer
    ) throws(Refusal) {
        guard range.isValid else { throw Refusal(.invalidHandle, range.first) }
        answer.begin(.findByTypeValueResponse)
        for handle in handles(in: range)
        where self[handle].type == type && holds(value, at: handle) && answer.freeCount >= 4 {
            answer.append(handle)
            answer.append(lastHandle(ofGroupAt: handle))
        }
        if answer.count == 1 { throw Refusal(.attributeNotFound, range.first) }
    }

    /// Appends services as handle, last handle and UUID: as many as fit, all with the same UUID width.
    func readByGroupType(_ range: HandleRange, _ type: BluetoothUUID, _ answer: inout BoundedAnswer)
        throws(Refusal)
    {
        guard range.isValid else { throw Refusal(.invalidHandle, range.first) }
        guard type == .primaryService || type == .secondaryService else {
            throw Refusal(.unsupportedGroupType, range.first)
        }
        var commonByteCount: Int?
        for handle in handles(in: range) where self[handle].type == type {
            let uuid = value(at: handle)
            if commonByteCount == nil {
                commonByteCount = uuid.count
                answer.begin(.readByGroupTypeResponse)
                answer.append(UInt8(truncatingIfNeeded: uuid.count + 4))
            } else if uuid.count != commonByteCount || uuid.count + 4 > answer.freeCount {
                return
            }
            answer.append(handle)
            answer.append(lastHandle(ofGroupAt: handle))
            answer.append(prefixOf: uuid.span)
        }
        if commonByteCount == nil { throw Refusal(.attributeNotFound, range.first) }
    }

    private func lastHandle(ofGroupAt handle: UInt16) -> UInt16 {
        if case .primaryService(_, let lastHandle) = self[handle].content { lastHandle } else { handle }
    }

    /// Whether the attribute has this value. A client may send a service UUID in either width; other values
    /// are compared byte by byte.
    private func holds(_ value: Span<UInt8>, at handle: UInt16) -> Bool {
        switch self[handle].content {
        case .primaryService(let uuid, _): value.count != 4 && BluetoothUUID(value) == uuid
        case .delegated: false
        case .characteristic, .constant: self.value(at: handle).span.isEqual(to: value)
        }
    }
}

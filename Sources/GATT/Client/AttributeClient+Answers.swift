import FixedMemory

extension AttributeClient {
    /// Processes one PDU from a server. It ignores answers that match no pending request.
    /// - Returns: The end of the procedure, if this PDU ended it. Otherwise ask for the next request.
    public mutating func receive(_ pdu: Span<UInt8>, mtu: inout NegotiatedMTU) -> AttributeClientEvent? {
        guard let pending, pdu.count > 0 else { return nil }
        let isError = pdu[0] == ATTOpcode.errorResponse.rawValue
        guard isError || pdu[0] == pending.rawValue + 1 else { return nil }
        guard let response = ATTResponse(pdu) else { return end(.failed(.protocolViolation)) }
        if case .error(let opcode, _, let error) = response {
            guard opcode == pending.rawValue else { return nil }
            self.pending = nil
            return refused(error)
        }
        self.pending = nil
        return answered(response, &mtu)
    }

    private mutating func end(_ event: AttributeClientEvent) -> AttributeClientEvent {
        step = .idle
        pending = nil
        return event
    }

    private mutating func answered(_ response: ATTResponse, _ mtu: inout NegotiatedMTU)
        -> AttributeClientEvent?
    {
        switch step {
        case .exchangeMTU:
            guard case .exchangeMTU(let serverReceiveMTU) = response else { break }
            mtu.agree(peerReceiveMTU: serverReceiveMTU)
            step = .findService(first: 1)
            return nil
        case .findService(let first):
            guard case .findByTypeValue(let entries) = response else { break }
            return serviceFound(first, entries)
        case .findCharacteristics(let range):
            guard case .readByType(let entryByteCount, let entries) = response else { break }
            return characteristicsFound(range, entryByteCount, entries)
        case .read(let handle):
            guard case .read(let part) = response else { break }
            return valueRead(handle, part, mtu)
        case .readRest(let handle):
            guard case .readBlob(let part) = response else { break }
            return valueRead(handle, part, mtu)
        case .write:
            return end(.finished)
        case .prepareWrite(let handle, let offset):
            guard case .prepareWrite(handle, UInt16(truncatingIfNeeded: offset), let echo) = response else {
                break
            }
            let part = part(at: offset, pendingMTU)
            guard echo.isEqual(to: part) else { break }
            let next = offset + part.count
            step = next < value.count ? .prepareWrite(handle: handle, offset: next) : .executeWrite
            return nil
        case .executeWrite:
            return end(.finished)
        case .idle: break
        }
        return end(.failed(.protocolViolation))
    }

    private mutating func refused(_ error: ATTError) -> AttributeClientEvent? {
        switch step {
        case .exchangeMTU:
            // The reason for the error does not matter, because 23 bytes work everywhere (HP-C01).
            step = .findService(first: 1)
            return nil
        case .findService where error == .attributeNotFound:
            instances.didExhaustService()
            return tryNextInstance()
        case .findCharacteristics where error == .attributeNotFound:
            return characteristicsExhausted()
        case .readRest where error == .invalidOffset || error == .attributeNotLong:
            // The value ended exactly at the end of the previous answer.
            return end(.finished)
        case .read, .readRest:
            guard search.readsValue else { return end(.failed(.refused(error))) }
            instances.didFail(.refused(error))
            value.removeAll()
            return tryNextInstance()
        default:
            return end(.failed(.refused(error)))
        }
    }

    private mutating func tryNextInstance() -> AttributeClientEvent? {
        guard instances.advance(search), let first = instances.next else {
            let missing: AttributeClientFailure =
                findings.service == nil ? .serviceNotFound : .characteristicNotFound
            return end(.failed(instances.failure ?? missing))
        }
        step = .findService(first: first)
        return nil
    }

    /// Continues with the characteristics of the first instance of the service in an answer. Instances must
    /// lie in the range that was searched, or a peer could keep the client asking.
    private mutating func serviceFound(_ first: UInt16, _ entries: Span<UInt8>) -> AttributeClientEvent? {
        var reader = ByteReader(entries)
        do throws(EndOfBytes) {
            let range = try HandleRange(&reader)
            guard range.isValid, range.first >= first else { return end(.failed(.protocolViolation)) }
            instances.didFind(last: range.last)
            findings = CharacteristicFindings()
            findings.service = search.services[instances.serviceIndex]
            step = .findCharacteristics(range)
            return nil
        } catch {
            return end(.failed(.protocolViolation))
        }
    }

    /// Collects characteristics. Handles must increase and stay within the requested range, or a peer could
    /// keep the client asking. A value follows its declaration, so the next declaration must follow the
    /// value.
    private mutating func characteristicsFound(
        _ range: HandleRange, _ entryByteCount: Int, _ entries: Span<UInt8>
    ) -> AttributeClientEvent? {
        var reader = ByteReader(entries)
        var rest: HandleRange? = range
        do throws(EndOfBytes) {
            while !reader.isAtEnd {
                let handle = try reader.readUInt16()
                let properties = CharacteristicProperties(rawValue: try reader.readUInt8())
                let valueHandle = try reader.readUInt16()
                let uuid = BluetoothUUID(try reader.readBytes(entryByteCount - 5))
                guard let uuid, entryByteCount != 9, let expected = rest, expected.contains(handle),
                    expected.contains(valueHandle), valueHandle > handle
                else { return end(.failed(.protocolViolation)) }
                characteristicCount += 1
                guard characteristicCount <= Self.maximumCharacteristicCount else {
                    return end(.failed(.tooManyCharacteristics))
                }
                findings.keep(
                    FoundCharacteristic(valueHandle: valueHandle, properties: properties), uuid, for: search)
                rest = valueHandle < range.last ? HandleRange(valueHandle + 1, range.last) : nil
            }
        } catch {
            return end(.failed(.protocolViolation))
        }
        guard let rest else { return characteristicsExhausted() }
        step = .findCharacteristics(rest)
        return nil
    }

    private mutating func characteristicsExhausted() -> AttributeClientEvent? {
        guard let found = findings.characteristic else { return tryNextInstance() }
        guard search.readsValue else { return end(.finished) }
        step = .read(handle: found.valueHandle)
        return nil
    }

    /// Appends a part of the value. If the part fills its PDU, more may follow. The MTU may have grown
    /// between request and answer, so a part counts as full at every PDU size that was possible.
    private mutating func valueRead(_ handle: UInt16, _ part: Span<UInt8>, _ mtu: NegotiatedMTU)
        -> AttributeClientEvent?
    {
        do throws(CapacityError) { try value.append(part) } catch { return end(.failed(.valueTooLong)) }
        let isFull =
            part.count == ATT.defaultMTU - 1 || part.count == pendingMTU - 1
            || part.count >= mtu.byteCount - 1
        guard isFull, value.count < search.wantedByteCount else { return end(.finished) }
        step = .readRest(handle: handle)
        return nil
    }
}

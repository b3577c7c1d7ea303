import FixedMemory

/// The services that the agent offers, declared once at start-up, before advertising. The table has up to
/// `capacity` attributes with consecutive handles from 1. A service takes one attribute, a characteristic
/// two.
///
/// Bluetooth Core 5.4, Vol 3, Part G, 2.5 and 3.
public struct AttributeTable<let capacity: Int>: BitwiseCopyable, Sendable {
    public private(set) var count = 0
    private var attributes: InlineArray<capacity, Attribute>
    private var constants = FixedBuffer<128>()
    private var openService = 0

    public init() {
        // This UUID is all zeros, so filling the table needs no code for a pattern.
        let none = BluetoothUUID(high: 0, low: 0)
        let unused = Attribute(type: none, content: .primaryService(none, lastHandle: 0))
        attributes = InlineArray(repeating: unused)
    }

    /// Begins a primary service, to which the following characteristics belong.
    /// - Returns: The handle of the service.
    @discardableResult @inline(never)
    public mutating func addService(_ uuid: BluetoothUUID) throws(CapacityError) -> UInt16 {
        guard freeCount >= 1 else { throw CapacityError() }
        openService = count
        return append(.primaryService, .primaryService(uuid, lastHandle: handle(at: count)))
    }

    /// Adds a characteristic whose value an ``AttributeDelegate`` supplies or receives.
    /// - Returns: The handle of the value.
    @discardableResult @inline(never)
    public mutating func addCharacteristic(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, value: ValueIdentifier
    ) throws(CapacityError) -> UInt16 {
        try addCharacteristic(uuid, properties, .delegated(value, properties))
    }

    /// Adds a descriptor to the preceding characteristic; clients may read it and write it with response.
    /// - Returns: The handle of the descriptor.
    @discardableResult @inline(never)
    public mutating func addDescriptor(_ type: BluetoothUUID, value: ValueIdentifier) throws(CapacityError)
        -> UInt16
    {
        precondition(count > 0, "a descriptor belongs to a characteristic")
        guard freeCount >= 1 else { throw CapacityError() }
        return appendToService(type, .delegated(value, .read.union(.write)))
    }

    /// Adds a readable characteristic whose value never changes. All constants together have up to 128 bytes.
    /// - Returns: The handle of the value.
    @discardableResult @inline(never)
    public mutating func addCharacteristic(_ uuid: BluetoothUUID, constant: Span<UInt8>)
        throws(CapacityError) -> UInt16
    {
        guard freeCount >= 2 else { throw CapacityError() }
        let offset = constants.count
        try constants.append(constant)
        return try addCharacteristic(uuid, .read, .constant(offset: offset, byteCount: constant.count))
    }

    /// Adds the two services that every server has: Generic Access with device name and appearance, and
    /// Generic Attribute. They take six attributes. `deviceName` is UTF-8; `appearance` is an assigned
    /// number, 0 means unknown.
    ///
    /// Bluetooth Core 5.4, Vol 3, Part C, 12.
    public mutating func addGenericServices(deviceName: Span<UInt8>, appearance: UInt16)
        throws(CapacityError)
    {
        var appearanceBytes = Bytes<2>()
        appearanceBytes[0] = UInt8(truncatingIfNeeded: appearance)
        appearanceBytes[1] = UInt8(truncatingIfNeeded: appearance >> 8)
        try addService(.genericAccess)
        try addCharacteristic(.deviceName, constant: deviceName)
        try addCharacteristic(.appearance, constant: appearanceBytes.span)
        try addService(.genericAttribute)
    }

    public var freeCount: Int { min(capacity, 0xfffe) - count }

    public func contains(_ handle: UInt16) -> Bool { handle > 0 && Int(handle) <= count }

    /// The attribute with `handle`, which must be in the table.
    public subscript(handle: UInt16) -> Attribute {
        precondition(contains(handle))
        return attributes[Int(handle) - 1]
    }

    /// Returns the handle of a value that a delegate supplies; nil if the table does not contain it.
    public func handle(of value: ValueIdentifier) -> UInt16? {
        for handle in handles(in: .all) {
            if case .delegated(value, _) = self[handle].content { return handle }
        }
        return nil
    }

    /// Returns the part of a requested range that lies within this table.
    func handles(in range: HandleRange) -> Range<UInt16> {
        guard contains(range.first), range.first <= range.last else { return 1..<1 }
        return range.first..<min(range.last, UInt16(truncatingIfNeeded: count)) + 1
    }

    /// Returns the value of the attribute at `handle`; empty if a delegate supplies it.
    func value(at handle: UInt16) -> AttributeValue {
        var value = AttributeValue()
        do throws(CapacityError) {
            switch self[handle].content {
            case .primaryService(let uuid, _): try uuid.append(to: &value)
            case .characteristic(let uuid, let properties):
                try value.append(properties.rawValue)
                try value.append(littleEndian: handle &+ 1)
                try uuid.append(to: &value)
            case .constant(let offset, let byteCount):
                try value.append(constants.span.extracting(offset..<offset + byteCount))
            case .delegated: break
            }
        } catch {
            // This never happens: 128 bytes of constants and 19 bytes of a declaration always fit into 512
            // bytes.
        }
        return value
    }

    @inline(never)
    private mutating func addCharacteristic(
        _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, _ value: Attribute.Content
    ) throws(CapacityError) -> UInt16 {
        precondition(count > 0, "a characteristic belongs to a service")
        guard freeCount >= 2 else { throw CapacityError() }
        append(.characteristic, .characteristic(uuid, properties))
        return appendToService(uuid, value)
    }

    @inline(never)
    private mutating func appendToService(_ type: BluetoothUUID, _ value: Attribute.Content) -> UInt16 {
        let handle = append(type, value)
        if case .primaryService(let service, _) = attributes[openService].content {
            attributes[openService] = Attribute(
                type: .primaryService, content: .primaryService(service, lastHandle: handle))
        }
        return handle
    }

    @discardableResult
    private mutating func append(_ type: BluetoothUUID, _ content: Attribute.Content) -> UInt16 {
        attributes[count] = Attribute(type: type, content: content)
        defer { count += 1 }
        return handle(at: count)
    }

    private func handle(at index: Int) -> UInt16 { UInt16(truncatingIfNeeded: index + 1) }
}

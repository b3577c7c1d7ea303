import FixedMemory

/// Who the board is to others from now on, until the next such entry: the identity that it serves, and the address under
/// which it does. Both are public; what they follow from is in an ``OwnKeyEntry``, if the board has made it.
public struct OwnIdentityEntry: Equatable, BitwiseCopyable, Sendable {
    public var monotonicMilliseconds: UInt64
    /// As on the air, least significant byte first.
    public var address: Bytes<6>
    /// 0 public, 1 random.
    public var addressType: UInt8
    public var scheme: SchemeCode
    /// Empty: none from now on; the board is silent.
    public var identity: FixedBuffer<512>

    public init(
        monotonicMilliseconds: UInt64, address: Bytes<6>, addressType: UInt8, scheme: SchemeCode,
        identity: FixedBuffer<512>
    ) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.address = address
        self.addressType = addressType
        self.scheme = scheme
        self.identity = identity
    }
}

extension OwnIdentityEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: monotonicMilliseconds)
        try sink.append(address)
        try sink.append(addressType)
        try sink.append(scheme.rawValue)
        try sink.append(leb128: UInt32(truncatingIfNeeded: identity.count))
        try sink.append(identity.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        monotonicMilliseconds = try fields.readLEB128UInt64()
        address = try fields.readBlock()
        addressType = try fields.readUInt8()
        scheme = SchemeCode(rawValue: try fields.readUInt8())
        identity = try fields.readData()
    }
}

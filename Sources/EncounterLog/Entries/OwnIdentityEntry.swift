import FixedMemory

/// The identity that the board serves from now on, until the next such entry, and its address. Both are
/// public. An ``OwnKeyEntry`` has the key from which the identity is derived, if the board made that key.
public struct OwnIdentityEntry: Equatable, BitwiseCopyable, Sendable {
    public var instant: Instant
    /// As on the air, least significant byte first.
    public var address: Bytes<6>
    /// 0 public, 1 random.
    public var addressType: UInt8
    public var scheme: SchemeCode
    /// Empty if the board has no identity from now on, and is silent.
    public var identity: FixedBuffer<512>

    public init(
        instant: Instant, address: Bytes<6>, addressType: UInt8, scheme: SchemeCode,
        identity: FixedBuffer<512>
    ) {
        self.instant = instant
        self.address = address
        self.addressType = addressType
        self.scheme = scheme
        self.identity = identity
    }
}

extension OwnIdentityEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: instant)
        try sink.append(address)
        try sink.append(addressType)
        try sink.append(scheme.rawValue)
        try sink.append(leb128: UInt32(truncatingIfNeeded: identity.count))
        try sink.append(identity.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        address = try fields.readBlock()
        addressType = try fields.readUInt8()
        scheme = SchemeCode(rawValue: try fields.readUInt8())
        identity = try fields.readData()
    }
}

import FixedMemory

/// The peer of an encounter identified itself with an identity that another entry of the same segment
/// contains.
public struct IdentityReferenceEntry: Equatable, BitwiseCopyable, Sendable {
    public var encounter: UInt32
    public var instant: Instant
    public var scheme: SchemeCode
    public var hash: IdentityHash

    /// The size of scheme and hash, which replace scheme, length and identity.
    static var identityByteCount: Int { 9 }

    public init(encounter: UInt32, instant: Instant, scheme: SchemeCode, hash: IdentityHash) {
        self.encounter = encounter
        self.instant = instant
        self.scheme = scheme
        self.hash = hash
    }
}

extension IdentityReferenceEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter)
        try sink.append(leb128: instant)
        try sink.append(scheme.rawValue)
        try sink.append(littleEndian: hash.value)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        encounter = try fields.readLEB128UInt32()
        instant = try fields.readInstant()
        scheme = SchemeCode(rawValue: try fields.readUInt8())
        hash = IdentityHash(value: try fields.readUInt64())
    }
}

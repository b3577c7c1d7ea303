import FixedMemory

/// The peer of an encounter identified itself.
public struct EncounterIdentifiedEntry: Equatable, BitwiseCopyable, Sendable {
    public var encounter: UInt32
    public var instant: Instant
    public var scheme: SchemeCode
    /// The identity as in the scheme's payload, uninterpreted.
    public var identity: FixedBuffer<512>
    public var marks: IdentityMarks

    public init(
        encounter: UInt32, instant: Instant, scheme: SchemeCode, identity: FixedBuffer<512>,
        marks: IdentityMarks = .none
    ) {
        self.encounter = encounter
        self.instant = instant
        self.scheme = scheme
        self.identity = identity
        self.marks = marks
    }
}

extension EncounterIdentifiedEntry {
    /// The identity in an entry's body: the hash that references use, and the number of bytes it replaces.
    /// Nil if the identity has marks, because references cannot carry them.
    static func identity(inBody body: Span<UInt8>) -> IdentityTable.Identity? {
        var fields = FieldReader(body)
        guard (try? fields.readLEB128UInt32()) != nil, (try? fields.readLEB128UInt64()) != nil else {
            return nil
        }
        let identity = fields.readRest()
        var rest = FieldReader(identity)
        guard (try? rest.readUInt8()) != nil, let byteCount = try? rest.readLEB128UInt32(),
            rest.readRest().count == Int(truncatingIfNeeded: byteCount)
        else { return nil }
        return (IdentityHash(of: identity), identity.count)
    }
}

extension EncounterIdentifiedEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter)
        try sink.append(leb128: instant)
        try sink.append(scheme.rawValue)
        try sink.append(leb128: UInt32(truncatingIfNeeded: identity.count))
        try sink.append(identity.span)
        // Without marks the byte is omitted, as in versions before marks.
        if marks != .none { try sink.append(marks.rawValue) }
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        encounter = try fields.readLEB128UInt32()
        instant = try fields.readInstant()
        scheme = SchemeCode(rawValue: try fields.readUInt8())
        identity = try fields.readData()
        marks = fields.isAtEnd ? .none : IdentityMarks(rawValue: try fields.readUInt8())
    }
}

import FixedMemory

/// A peer sent an identity that cannot be genuine; the agent did not accept it.
public struct IdentityRefusedEntry: Equatable, BitwiseCopyable, Sendable {
    /// The peer's encounter; nil if it has none, in which case its distance is unknown.
    public var encounter: UInt32?
    public var instant: Instant
    public var scheme: SchemeCode
    public var reason: IdentityRefusal
    public var marks: IdentityMarks
    /// The bytes of the identity, as far as they were kept.
    public var bytes: FixedBuffer<512>

    /// - Parameter encounter: 0 means none, as on flash.
    public init(
        encounter: UInt32?, instant: Instant, scheme: SchemeCode, reason: IdentityRefusal,
        marks: IdentityMarks = .none, bytes: FixedBuffer<512>
    ) {
        self.encounter = encounter == 0 ? nil : encounter
        self.instant = instant
        self.scheme = scheme
        self.reason = reason
        self.marks = marks
        self.bytes = bytes
    }
}

/// Why an identity was refused. Values without a name here are read unchanged.
public struct IdentityRefusal: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let wrongLength = IdentityRefusal(rawValue: 1)
    /// Its public key is not a point on the curve.
    public static let notOnCurve = IdentityRefusal(rawValue: 2)
    /// No country has its country code.
    public static let noCountry = IdentityRefusal(rawValue: 3)
    /// Its time differs from the time of receipt: a replay, or a wrong clock.
    public static let notOfNow = IdentityRefusal(rawValue: 4)
    /// It is all zeros.
    public static let nobody = IdentityRefusal(rawValue: 5)

    public var text: StaticString {
        switch self {
        case .wrongLength: "wrong length"
        case .notOnCurve: "its point is not on the curve"
        case .noCountry: "unknown country code"
        case .notOfNow: "its time differs from the time of reading"
        case .nobody: "all zeros"
        default: "unknown reason"
        }
    }
}

extension IdentityRefusedEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter ?? 0)
        try sink.append(leb128: instant)
        try sink.append(scheme.rawValue)
        try sink.append(reason.rawValue)
        try sink.append(marks.rawValue)
        try sink.append(leb128: UInt32(truncatingIfNeeded: bytes.count))
        try sink.append(bytes.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        let encounter = try fields.readLEB128UInt32()
        self.encounter = encounter == 0 ? nil : encounter
        instant = try fields.readInstant()
        scheme = SchemeCode(rawValue: try fields.readUInt8())
        reason = IdentityRefusal(rawValue: try fields.readUInt8())
        marks = IdentityMarks(rawValue: try fields.readUInt8())
        bytes = try fields.readData()
    }
}

import FixedMemory

/// What a peer said who it is cannot be: it was not taken for anybody.
public struct IdentityRefusedEntry: Equatable, BitwiseCopyable, Sendable {
    /// The peer's; nil when it has none: nobody knows how near it was.
    public var encounter: UInt32?
    public var monotonicMilliseconds: UInt64
    public var scheme: LogScheme
    public var reason: IdentityRefusal
    public var marks: IdentityMarks
    /// What it said, as far as it was kept.
    public var bytes: FixedBuffer<512>

    /// `encounter`: 0 is none, as on flash.
    public init(
        encounter: UInt32?, monotonicMilliseconds: UInt64, scheme: LogScheme, reason: IdentityRefusal,
        marks: IdentityMarks = .none, bytes: FixedBuffer<512>
    ) {
        self.encounter = encounter == 0 ? nil : encounter
        self.monotonicMilliseconds = monotonicMilliseconds
        self.scheme = scheme
        self.reason = reason
        self.marks = marks
        self.bytes = bytes
    }
}

/// Why an identity was refused. Values not named here survive being read.
public struct IdentityRefusal: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let wrongLength = IdentityRefusal(rawValue: 1)
    /// What should be a point of the curve is none.
    public static let notOnCurve = IdentityRefusal(rawValue: 2)
    /// No country has this number.
    public static let noCountry = IdentityRefusal(rawValue: 3)
    /// Its time is not that of the reading: somebody repeats it, or has a wrong clock.
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
        try sink.append(leb128: monotonicMilliseconds)
        try sink.append(scheme.rawValue)
        try sink.append(reason.rawValue)
        try sink.append(marks.rawValue)
        try sink.append(leb128: UInt32(truncatingIfNeeded: bytes.count))
        try sink.append(bytes.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        let encounter = try fields.readLEB128UInt32()
        self.encounter = encounter == 0 ? nil : encounter
        monotonicMilliseconds = try fields.readLEB128UInt64()
        scheme = LogScheme(rawValue: try fields.readUInt8())
        reason = IdentityRefusal(rawValue: try fields.readUInt8())
        marks = IdentityMarks(rawValue: try fields.readUInt8())
        bytes = try fields.readData()
    }
}

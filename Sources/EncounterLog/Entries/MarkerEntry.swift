import FixedMemory

/// A moment that the board's wearer marked, with its button or by a command.
public struct MarkerEntry: Equatable, BitwiseCopyable, Sendable {
    /// When the agent learnt of it, at most a second later.
    public var instant: Instant
    public var origin: MarkerOrigin

    public init(instant: Instant, origin: MarkerOrigin) {
        self.instant = instant
        self.origin = origin
    }
}

/// The origin of a marker. Values without a name here are read unchanged.
public struct MarkerOrigin: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let button = MarkerOrigin(rawValue: 1)
    /// `tabard mark`.
    public static let command = MarkerOrigin(rawValue: 2)
}

extension MarkerEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: instant)
        try sink.append(origin.rawValue)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        origin = MarkerOrigin(rawValue: try fields.readUInt8())
    }
}

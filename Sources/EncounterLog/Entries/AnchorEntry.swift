import FixedMemory

/// A moment known by both clocks, by which the host fits a boot's monotonic times to wall time.
public struct AnchorEntry: Equatable, BitwiseCopyable, Sendable {
    public var instant: Instant
    public var wallClock: WallClockTime
    /// The wall clock's error bound, either way; `UInt32.max` if it is unknown.
    public var errorMilliseconds: UInt32
    public var source: AnchorSource

    public init(instant: Instant, wallClock: WallClockTime, errorMilliseconds: UInt32, source: AnchorSource) {
        self.instant = instant
        self.wallClock = wallClock
        self.errorMilliseconds = errorMilliseconds
        self.source = source
    }
}

/// The clock that an anchor's wall time comes from. Values without a name here are read unchanged.
public struct AnchorSource: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let systemClock = AnchorSource(rawValue: 1)
    public static let host = AnchorSource(rawValue: 2)
}

extension AnchorEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: instant)
        try sink.append(leb128: wallClock.milliseconds)
        try sink.append(leb128: errorMilliseconds)
        try sink.append(source.rawValue)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        wallClock = WallClockTime(milliseconds: try fields.readLEB128UInt64())
        errorMilliseconds = try fields.readLEB128UInt32()
        source = AnchorSource(rawValue: try fields.readUInt8())
    }
}

import FixedMemory

/// A key made on the board, from which its identities are derived; only the log's owner can read it. The
/// board keeps what the coming days need, and nothing of past days.
public struct OwnKeyEntry: Equatable, BitwiseCopyable, Sendable {
    public var instant: Instant
    public var scheme: SchemeCode
    /// For Herald and CovidTracer, the first day since 1970-01-01 on which the key is valid; for Exposure
    /// Notification, its rolling start in units of ten minutes since 1970.
    public var firstPeriod: UInt32
    /// How many days, or units of ten minutes, the key is valid. A later entry that covers one of them takes
    /// precedence for it.
    public var periodCount: UInt32
    /// For Herald and CovidTracer a root of 32 bytes; for Exposure Notification the day's key of 16 bytes.
    public var key: FixedBuffer<32>

    public init(
        instant: Instant, scheme: SchemeCode, firstPeriod: UInt32, periodCount: UInt32, key: FixedBuffer<32>
    ) {
        self.instant = instant
        self.scheme = scheme
        self.firstPeriod = firstPeriod
        self.periodCount = periodCount
        self.key = key
    }
}

extension OwnKeyEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: instant)
        try sink.append(scheme.rawValue)
        try sink.append(leb128: firstPeriod)
        try sink.append(leb128: periodCount)
        try sink.append(leb128: UInt32(truncatingIfNeeded: key.count))
        try sink.append(key.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        scheme = SchemeCode(rawValue: try fields.readUInt8())
        firstPeriod = try fields.readLEB128UInt32()
        periodCount = try fields.readLEB128UInt32()
        let byteCount = try fields.readLEB128UInt32()
        guard byteCount <= 32,
            let key = FixedBuffer<32>(try fields.readBytes(Int(truncatingIfNeeded: byteCount)))
        else { throw MalformedField() }
        self.key = key
    }
}

import FixedMemory

/// A key that identities of the board follow from, made on the board: for the log's owner alone. The board keeps of it what
/// the days ahead need, and nothing of days past.
public struct OwnKeyEntry: Equatable, BitwiseCopyable, Sendable {
    public var monotonicMilliseconds: UInt64
    public var scheme: SchemeCode
    /// Of Herald and CovidTracer the day since 1970-01-01 from which on the key is in force; of Exposure Notification its
    /// rolling start, in ten minutes since 1970.
    public var firstPeriod: UInt32
    /// For how many days, or ten minutes. A later entry with one of them among its own counts for it instead.
    public var periodCount: UInt32
    /// Of Herald and CovidTracer a root of 32 bytes; of Exposure Notification the day's key, 16.
    public var key: FixedBuffer<32>

    public init(
        monotonicMilliseconds: UInt64, scheme: SchemeCode, firstPeriod: UInt32, periodCount: UInt32,
        key: FixedBuffer<32>
    ) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.scheme = scheme
        self.firstPeriod = firstPeriod
        self.periodCount = periodCount
        self.key = key
    }
}

extension OwnKeyEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: monotonicMilliseconds)
        try sink.append(scheme.rawValue)
        try sink.append(leb128: firstPeriod)
        try sink.append(leb128: periodCount)
        try sink.append(leb128: UInt32(truncatingIfNeeded: key.count))
        try sink.append(key.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        monotonicMilliseconds = try fields.readLEB128UInt64()
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

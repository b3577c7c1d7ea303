import FixedMemory

/// The state of the board's battery, when it has changed.
public struct BatteryEntry: Equatable, BitwiseCopyable, Sendable {
    public var instant: Instant
    public var reading: BatteryReading

    public init(instant: Instant, reading: BatteryReading) {
        self.instant = instant
        self.reading = reading
    }
}

extension BatteryEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: instant)
        try reading.encode(into: &sink)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        reading = try BatteryReading(from: &fields)
    }
}

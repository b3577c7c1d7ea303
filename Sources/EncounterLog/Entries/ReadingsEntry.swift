import FixedMemory

/// Every RSSI reading of an encounter over some time, for a log that keeps them all. The encounter's samples
/// include them, too.
public struct ReadingsEntry: Equatable, BitwiseCopyable, Sendable {
    public var encounter: UInt32
    public var readings: PackedReadings

    public init(encounter: UInt32, readings: PackedReadings) {
        self.encounter = encounter
        self.readings = readings
    }
}

extension ReadingsEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter)
        try readings.encode(into: &sink)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        encounter = try fields.readLEB128UInt32()
        readings = try PackedReadings(from: &fields)
    }
}

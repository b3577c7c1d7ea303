import FixedMemory

/// An encounter ended: the peer was silent for longer than the encounter timeout, or the agent evicted it.
public struct EncounterClosedEntry: Equatable, BitwiseCopyable, Sendable {
    public var encounter: UInt32
    /// When the peer was last heard.
    public var instant: Instant
    /// The number of RSSI readings in the whole encounter.
    public var readings: UInt32

    public init(encounter: UInt32, instant: Instant, readings: UInt32) {
        self.encounter = encounter
        self.instant = instant
        self.readings = readings
    }
}

extension EncounterClosedEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter)
        try sink.append(leb128: instant)
        try sink.append(leb128: readings)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        encounter = try fields.readLEB128UInt32()
        instant = try fields.readInstant()
        readings = try fields.readLEB128UInt32()
    }
}

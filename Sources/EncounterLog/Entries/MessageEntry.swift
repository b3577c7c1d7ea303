import FixedMemory

/// An immediate message that a peer sent to us.
public struct MessageEntry: Equatable, BitwiseCopyable, Sendable {
    /// The sender's encounter; nil if it has none, in which case its distance is unknown.
    public var encounter: UInt32?
    public var instant: Instant
    /// The message's data, uninterpreted.
    public var data: FixedBuffer<512>

    /// - Parameter encounter: 0 means none, as on flash.
    public init(encounter: UInt32?, instant: Instant, data: FixedBuffer<512>) {
        self.encounter = encounter == 0 ? nil : encounter
        self.instant = instant
        self.data = data
    }
}

extension MessageEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter ?? 0)
        try sink.append(leb128: instant)
        try sink.append(leb128: UInt32(truncatingIfNeeded: data.count))
        try sink.append(data.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        let encounter = try fields.readLEB128UInt32()
        let time = try fields.readInstant()
        self.init(encounter: encounter, instant: time, data: try fields.readData())
    }
}

import FixedMemory

/// Payloads of other devices that a peer received and shared with us.
public struct SharedPayloadsEntry: Equatable, BitwiseCopyable, Sendable {
    /// The value of ``rssiDBm`` for a peer that did not report its RSSI.
    public static let unknownRSSIDBm: Int8 = 127

    /// The sharing peer's encounter; nil if it has none.
    public var encounter: UInt32?
    public var instant: Instant
    /// The RSSI at which the sharing peer receives us.
    public var rssiDBm: Int8
    /// The payloads, concatenated without separators and uninterpreted.
    public var payloads: FixedBuffer<512>

    /// - Parameter encounter: 0 means none, as on flash.
    public init(encounter: UInt32?, instant: Instant, rssiDBm: Int8, payloads: FixedBuffer<512>) {
        self.encounter = encounter == 0 ? nil : encounter
        self.instant = instant
        self.rssiDBm = rssiDBm
        self.payloads = payloads
    }
}

extension SharedPayloadsEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter ?? 0)
        try sink.append(leb128: instant)
        try sink.append(rssiDBm)
        try sink.append(leb128: UInt32(truncatingIfNeeded: payloads.count))
        try sink.append(payloads.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        let encounter = try fields.readLEB128UInt32()
        let time = try fields.readInstant()
        let rssiDBm = Int8(bitPattern: try fields.readUInt8())
        self.init(encounter: encounter, instant: time, rssiDBm: rssiDBm, payloads: try fields.readData())
    }
}

import FixedMemory

/// A host has acknowledged that it stores the log up to a position.
public struct AcknowledgementEntry: Equatable, BitwiseCopyable, Sendable {
    public var instant: Instant
    public var position: LogPosition
    /// The fingerprint of the operator key that signed the command; all zero on a board that has none.
    public var operatorFingerprint: Bytes<16>

    public init(instant: Instant, position: LogPosition, operatorFingerprint: Bytes<16>) {
        self.instant = instant
        self.position = position
        self.operatorFingerprint = operatorFingerprint
    }
}

extension AcknowledgementEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: instant)
        try sink.append(leb128: position.segmentOrdinal)
        try sink.append(leb128: position.byteOffset)
        try sink.append(operatorFingerprint)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        position = LogPosition(
            segmentOrdinal: try fields.readLEB128UInt32(), byteOffset: try fields.readLEB128UInt32())
        operatorFingerprint = try fields.readBlock()
    }
}
